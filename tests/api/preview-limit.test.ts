import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let [ana, luis]: Client[] = []
beforeAll(async () => {
  app = await startApp()
  const group = await createGroup(app.stack, 'Grupo Vistas', [{ name: 'Norte', slug: 'norte' }])
  ana = await signedIn(await group.person('marketing'))
  luis = await signedIn(await group.person('marketing'))
})
afterAll(() => app?.close())

const segment = { definition: { field: 'visits', min: 1 } }
const automation = { type: 'reengagement', channel: 'email', subject: 'Hola', body: 'Hola' }
const kinds: [method: string, path: string, body?: object][] = [
  ['POST', '/api/segments/preview', segment],
  ['POST', '/api/automations/preview', automation],
  ['GET', '/api/customers/count?segment=no_show'],
  ['GET', '/api/customers/duplicates/merge?above=0.9'],
  ['POST', '/api/loyalty/preview', { changes: [] }],
]
const ask = async (client: Client | undefined, [method, path, body]: (typeof kinds)[number]) => {
  if (!client) throw new Error('Nobody asks')
  return client.request(method, path, body === undefined ? {} : { body })
}

it('a person gets 60 previews a minute, all kinds together', async () => {
  const { length } = kinds
  for (const [n, kind] of Array.from({ length: 60 }, (_, n) => [n, kinds[n % length]] as const))
    if (kind) expect((await ask(ana, kind)).status, `${n + 1}: ${kind[1]}`).toBe(200)
  for (const kind of kinds) {
    const refused = await ask(ana, kind)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer(refused)).toEqual(refusal('RATE_LIMITED'))
  }
  // Everything else goes on, and so do the others.
  expect((await ask(ana, ['GET', '/api/segments'])).status).toBe(200)
  for (const kind of kinds) expect((await ask(luis, kind)).status).toBe(200)
})
