import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseJson, unstorablePath } from '@/lib/http/json'
import { parseRow, rawRowSchema } from '@/lib/pms/parse-row'
import { createGroup } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('parseJson', () => {
  it.each([
    ['arrays', nested(33)],
    ['objects', deepObject(33)],
    ['20,000 arrays', nested(20_000)],
    ['20,000 objects', deepObject(20_000)],
    ['half a million arrays', nested(500_000)],
    ['half a million arrays that do not close', '['.repeat(500_000)],
    ['a million brackets in one array', `[${'['.repeat(999_998)}`],
    ['a number that is infinite', '{"a":[1e999]}'],
    ['a number that is minus infinite', '-1e999'],
    ['a __proto__', '{"a":{"__proto__":{"role":"super_admin"}}}'],
    ['a __proto__ twice', '{"__proto__":1,"__proto__":2}'],
    ['a __proto__ in other letters', '{"\\u005f_proto__":1}'],
  ])('refuses %s', (_, text) => {
    expect(() => parseJson(text)).toThrow()
  })

  it.each([
    ['32 levels', nested(32)],
    ['brackets in a text', JSON.stringify({ a: nested(1000) })],
    ['a long list', `[${'0,'.repeat(400_000)}0]`],
    ['a key of many names', '{"constructor":1,"prototype":2,"proto":3}'],
    ['a null', 'null'],
  ])('takes %s', (_, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })
})

it('unstorablePath goes as deep as a value does', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200_000)}"\\u0000"${'}'.repeat(200_000)}`)
  expect(unstorablePath(deep)).toHaveLength(200_000 * 2 - 1)
  expect(unstorablePath({ ok: 'x', list: ['y', '\ud800'] })).toBe('list.1')
})

describe('a body', () => {
  let app: TestApp
  let boss: Client
  beforeAll(async () => {
    app = await startApp()
    const group = await createGroup(app.stack, 'Grupo Hondo', [{ name: 'Norte', slug: 'norte' }])
    boss = await signedIn(await group.person('super_admin'))
  })
  afterAll(() => app?.close())

  const BODIES: [string, string][] = [
    ['20,000 deep', nested(20_000)],
    ['20,000 deep in a field', `{"notes":${nested(20_000)},"criteria":${deepObject(20_000)}}`],
    ['half a million deep', nested(500_000)],
    ['with a list of 400,000', `{"tags":[${'1,'.repeat(400_000)}1]}`],
    ['with a __proto__', '{"first_name":"Ana","__proto__":{"id":"x"}}'],
    ['with an infinite number', '{"first_name":"Ana","total_spend":1e999,"party_size":1e999}'],
    ['with half a letter', '{"first_name":"\\ud800","name":"\\udfff"}'],
  ]
  const PATHS = [
    ['POST', '/api/customers'],
    ['POST', '/api/reservations'],
    ['POST', '/api/automations'],
    ['POST', '/api/automations/preview'],
    ['PUT', '/api/loyalty/config'],
    ['POST', '/api/loyalty/rules'],
    ['POST', '/api/tickets'],
    ['PUT', '/api/integrations/pms'],
    ['POST', '/api/ai/chat'],
    ['POST', '/api/auth/sign-in'],
  ]
  it.each(BODIES)('%s is a 400 wherever it is sent', async (_, body) => {
    for (const [method = '', path = ''] of PATHS) {
      const headers = { 'content-type': 'application/json' }
      const response = await boss.request(method, path, { body, headers })
      expect({ path, status: response.status }).toEqual({ path, status: 400 })
      expect(await response.text()).not.toContain('call stack')
    }
  })

  it.each(['cursor', 'limit', 'search'])('%s in a query that is deep is no 500', async (name) => {
    const deep = Buffer.from(nested(3000)).toString('base64url')
    for (const path of [
      '/api/customers',
      '/api/customers/duplicates',
      '/api/automations',
      '/api/jobs',
      '/api/tickets',
    ])
      expect((await boss.request('GET', `${path}?${name}=${deep}`)).status).toBeLessThan(500)
  })
})

describe('the answer of a PMS', () => {
  const FIELDS = Object.keys(rawRowSchema.shape)
  const deep = () => JSON.parse(nested(20_000))

  it('whose row is deep anywhere costs that row only', () => {
    for (const field of FIELDS) expect(() => parseRow({ booking_id: 'r1', [field]: deep() })).not.toThrow()
    expect(() => parseRow(deep())).not.toThrow()
  })
})
