import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { createCustomer } from '../factories/messaging'
import { type Stack, startStack } from '../support/stack'
import { type BuiltApp, startBuiltApp } from './built-app'
import { type HttpClient, httpClient, signIn } from './http-client'

let stack: Stack
let built: BuiltApp
let group: Group
let marketing: HttpClient
beforeAll(async () => {
  stack = await startStack()
  built = await startBuiltApp(stack)
  group = await createGroup(stack, 'Grupo Plantilla')
  marketing = await signIn(built.url, (await group.person('marketing')).email)
  await createCustomer(stack, group.id, { email: 'ana@example.com', first_name: 'Ana', total_spend: 100 })
})
afterAll(async () => {
  await built?.stop()
  await stack?.close()
})

const DRAFT = { type: 'vip_reward', channel: 'email', subject: 'Hola', criteria: { min_spend: 1 } }
const preview = async (body: string) => {
  const draft = { ...DRAFT, body }
  const response = await marketing.request('POST', '/api/automations/preview', { body: draft })
  return { status: response.status, body: await response.json() }
}
const LOOP = '{% for i in (1..100) %}'
const SLOW = `${LOOP}${LOOP}${'{%if a%}{%endif%}'.repeat(570)}{% endfor %}{% endfor %}`

it('the built app renders in a thread, and answers others while it has to end one', async () => {
  expect((await preview('Hola {{ first_name }}')).body.data.sample.body).toMatch(/^Hola Ana\n/)
  let ended = false
  const attack = preview(SLOW).finally(() => {
    ended = true
  })
  do expect((await httpClient(built.url).request('GET', '/api/health')).status).toBe(200)
  while (!ended)
  expect(await attack).toMatchObject({ status: 400, body: { issues: [{ code: 'template_too_slow' }] } })
  expect((await preview('Hola {{ first_name }}')).body.data.sample.body).toMatch(/^Hola Ana\n/)
})

it('the thread’s code goes along where templates are rendered', () => {
  for (const route of ['automations/preview', 'automations/[id]/run', 'cron/automations']) {
    const trace = `.next/server/app/api/${route}/route.js.nft.json`
    const { files } = JSON.parse(readFileSync(trace, 'utf8')) as { files: string[] }
    expect(files).toContainEqual(expect.stringMatching(/worker thread\].*template-worker/))
  }
})
