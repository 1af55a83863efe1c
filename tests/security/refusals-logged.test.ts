import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'

const written: string[] = []
vi.mock('pino', async (original) => {
  const { default: pino } = await original<typeof import('pino')>()
  return { default: (options: object) => pino(options, { write: (text: string) => void written.push(text) }) }
})

let app: TestApp
let group: Group
beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'info' })
  group = await createGroup(app.stack, 'Grupo Registro', [{ name: 'Norte', slug: 'norte' }])
})
afterAll(() => app?.close())
beforeEach(() => void written.splice(0))

const refusals = () =>
  written.map((line) => JSON.parse(line)).filter(({ msg }: { msg: string }) => msg === 'request refused')

it('a request without a session is logged, with its network and code', async () => {
  await app.client().request('GET', '/api/customers?search=Ana')
  const refused = { method: 'GET', path: '/api/customers', status: 401, code: 'UNAUTHORIZED' }
  expect(refusals()).toEqual([
    expect.objectContaining({ ...refused, network: 'unknown', requestId: expect.any(String) }),
  ])
  // What somebody searches for may be a guest's name.
  expect(written.join('')).not.toContain('Ana')
})

it('a request beyond a person’s rights is logged, with who asked', async () => {
  const person = await group.person('rrhh')
  const client = await signedIn(person)
  written.splice(0)
  await client.request('GET', '/api/integrations')
  expect(refusals()).toEqual([
    expect.objectContaining({ path: '/api/integrations', status: 403, code: 'FORBIDDEN', user: person.id }),
  ])
})

it('a request beyond a limit is logged', async () => {
  const attempt = () =>
    app
      .client()
      .request('POST', '/api/auth/sign-in', { body: { email: 'prisa@equipo.example', password: 'x' } })
  await Promise.all(Array.from({ length: 12 }, attempt))
  const limited = refusals().filter(({ status }: { status: number }) => status === 429)
  expect(limited).toHaveLength(2)
})

it('a link’s token is not in the line', async () => {
  const token = 'T'.repeat(60)
  const post = () =>
    app
      .client()
      .request('POST', `/api/f/${token}`, { body: { score: 5 }, headers: { origin: 'https://evil.example' } })
  await Promise.all(Array.from({ length: 70 }, post))
  expect(refusals().length).toBeGreaterThan(0)
  expect(written.join('')).not.toContain(token)
})

it('what is allowed is not, and no request writes a line of its own', async () => {
  const client = await signedIn(await group.person('admin'))
  written.splice(0)
  await client.request('GET', '/api/customers')
  expect(written).toEqual([])
  const forged = 'x"}\n{"level":30,"msg":"request refused","path":"/forged"}'
  await app.client().request('GET', `/api/customers/${encodeURIComponent(forged)}`, {
    headers: { 'x-request-id': forged.replace('\n', '\\n') },
  })
  expect(written.map((line) => line.trimEnd().split('\n').length)).toEqual([1])
  expect(refusals().map(({ path }: { path: string }) => path)).not.toContain('/forged')
})
