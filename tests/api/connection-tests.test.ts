import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testConnection } from '@/lib/integrations/test-connection'
import { createGroup, type Group } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import type { Fault as OpenAiFault } from '../fakes/openai/types'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { AI_KEY, connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

const written = vi.hoisted((): string[] => [])
// What the app logs, with its own options: redaction included.
vi.mock('pino', async (original) => {
  const { default: pino } = await original<typeof import('pino')>()
  return { default: (options: object) => pino(options, { write: (text: string) => void written.push(text) }) }
})

let app: TestApp
let group: Group
let boss: Client
let twilio: FakeTwilio
let resend: FakeResend
let openai: OpenAiFake
const said: string[] = []

beforeAll(async () => {
  twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token })
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  openai = await startOpenAi()
  app = await startApp({
    LOG_LEVEL: 'debug',
    TWILIO_BASE_URL: twilio.url,
    RESEND_BASE_URL: resend.url,
    OPENAI_BASE_URL: openai.url,
  })
  group = await createGroup(app.stack, 'Grupo Pruebas')
  boss = await signedIn(await group.person('admin'))
})
beforeEach(async () => {
  await app.stack.sql('delete from public.integration_configs')
  await app.stack.sql('delete from public.rate_limits')
  twilio.account.status = 'active'
  twilio.senders.sms = { [TWILIO.sms_from]: true }
  twilio.senders.whatsapp = { [TWILIO.whatsapp_from]: 'ONLINE' }
  Object.assign(resend.account, { domains: [], sendingOnly: false, has_more: false })
  for (const fake of [twilio, resend]) {
    fake.setFault(null)
    fake.requests.length = 0
  }
  openai.reset()
})
afterAll(async () => {
  await Promise.all([twilio, resend, openai].map((fake) => fake?.close()))
  await app?.close()
})

async function test(type: string, client = boss) {
  const found = await answer(await client.request('POST', `/api/integrations/${type}/test`))
  said.push(JSON.stringify(found))
  return found
}
const WORKS = { status: 200, body: { success: true } }
const failed = (reason: string) => ({
  status: 200,
  body: { success: false, reason, error: expect.any(String) },
})
const verified = { name: 'grupo.example', status: 'verified' }

describe('Twilio', () => {
  const store = (changes = {}) => connect(app.stack, group.id, 'twilio', { ...TWILIO, ...changes }, false)

  it('is asked for the account, also before it is enabled, and sends nothing', async () => {
    expect(await test('twilio')).toEqual(failed('not_configured'))
    await store()
    expect(await test('twilio')).toEqual(WORKS)
    expect(twilio.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /2010-04-01/Accounts/${TWILIO.account_sid}.json`,
      `GET /2010-04-01/Accounts/${TWILIO.account_sid}/IncomingPhoneNumbers.json?PhoneNumber=%2B34900000001`,
      'GET /v2/Channels/Senders?Channel=whatsapp&PageSize=100',
    ])
    expect(twilio.accepted).toEqual([])
  })

  it('says what is wrong with the account', async () => {
    await store({ auth_token: 'wrong-token-7d1e' })
    expect(await test('twilio')).toEqual(failed('bad_key'))
    await store({ account_sid: 'SK0123' })
    expect(await test('twilio')).toEqual(failed('bad_account'))
    await store({ account_sid: '../../../v1/else' })
    expect(await test('twilio')).toEqual(failed('bad_account'))
    await store()
    twilio.account.status = 'suspended'
    expect(await test('twilio')).toEqual(failed('suspended'))
  })

  it('says when a sender is not the account’s, or cannot send', async () => {
    await store()
    twilio.senders.sms = {}
    expect(await test('twilio')).toEqual(failed('sms_sender_unknown'))
    twilio.senders.sms = { [TWILIO.sms_from]: false }
    expect(await test('twilio')).toEqual(failed('sms_sender_unknown'))
    await store({ sms_from: '' })
    expect(await test('twilio')).toEqual(WORKS)
    twilio.senders.whatsapp = { '+34900000009': 'ONLINE' }
    expect(await test('twilio')).toEqual(failed('whatsapp_sender_unknown'))
    twilio.senders.whatsapp = { [TWILIO.whatsapp_from]: 'PENDING_VERIFICATION' }
    expect(await test('twilio')).toEqual(failed('whatsapp_sender_offline'))
    // A service that the account does not have.
    await store({ sms_from: `MG${'0'.repeat(32)}`, whatsapp_from: '' })
    expect(await test('twilio')).toEqual(failed('sms_sender_unknown'))
  })

  it('leaves open what Twilio does not tell', async () => {
    // A name is in no list, and the sandbox’s number is nobody’s.
    await store({ sms_from: 'Grupo Norte', whatsapp_from: 'whatsapp:+14155238886' })
    twilio.requests.length = 0
    expect(await test('twilio')).toEqual(WORKS)
    expect(twilio.requests).toHaveLength(1)
    await store({ sms_from: 'MGrill', whatsapp_from: '' })
    expect(await test('twilio')).toEqual(WORKS)
    // The fake does not know short codes.
    await store({ sms_from: '25555', whatsapp_from: '' })
    expect(await test('twilio')).toEqual(WORKS)
    expect(twilio.requests.at(-1)?.path).toContain('/SMS/ShortCodes.json?ShortCode=25555')
  })

  it.each([
    [{ kind: 'error_before', status: 503 }, 'http_status'],
    [{ kind: 'rate_limit', retryAfter: 1 }, 'rate_limited'],
    [{ kind: 'reset' }, 'unreachable'],
    [{ kind: 'garbage' }, 'not_json'],
    [{ kind: 'reject', status: 404, code: 20404 }, 'not_found'],
  ] as const)('that fails with %j', async (fault, reason) => {
    await store()
    twilio.setFault(fault)
    expect(await test('twilio')).toEqual(failed(reason))
  })
})

describe('Resend', () => {
  const store = (changes = {}) => connect(app.stack, group.id, 'resend', { ...RESEND, ...changes }, false)

  it('is asked for its domains, and mails nothing', async () => {
    expect(await test('resend')).toEqual(failed('not_configured'))
    await store()
    resend.account.domains = [verified]
    expect(await test('resend')).toEqual(WORKS)
    expect(resend.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /domains'])
    expect(resend.accepted).toEqual([])
  })

  it('says when the sender’s domain is not verified', async () => {
    await store()
    expect(await test('resend')).toEqual(failed('domain_not_verified'))
    resend.account.domains = [
      { ...verified, status: 'pending' },
      { name: 'otro.example', status: 'verified' },
    ]
    expect(await test('resend')).toEqual(failed('domain_not_verified'))
    // Its end alone is not the domain.
    resend.account.domains = [{ name: 'o.example', status: 'verified' }]
    expect(await test('resend')).toEqual(failed('domain_not_verified'))
    await store({ from_email: 'hola@correo.GRUPO.example' })
    resend.account.domains = [verified]
    expect(await test('resend')).toEqual(WORKS)
    // There are more domains than it listed.
    Object.assign(resend.account, { domains: [], has_more: true })
    expect(await test('resend')).toEqual(WORKS)
  })

  it('takes a key that may only send for a right one, and no other', async () => {
    await store()
    resend.account.sendingOnly = true
    expect(await test('resend')).toEqual(WORKS)
    for (const api_key of ['wrong-key-7d1e', 'clave-ñ-☃']) {
      await store({ api_key })
      expect(await test('resend')).toEqual(failed('bad_key'))
    }
    await store()
    // As Resend words it for some keys.
    resend.setFault({ kind: 'reject', status: 400, code: 'validation_error', message: 'API key is invalid' })
    expect(await test('resend')).toEqual(failed('bad_key'))
  })
})

describe('the language model', () => {
  const store = (config = {}) => connectAi(app.stack, group, config, { isEnabled: false })

  it('is asked for one token', async () => {
    expect(await test('ai')).toEqual(failed('not_configured'))
    await store({ model: 'gpt-5' })
    expect(await test('ai')).toEqual(WORKS)
    expect(openai.received.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({ model: 'gpt-5', max_tokens: 1 }),
    ])
  })

  it.each<[OpenAiFault, string]>([
    [{ kind: 'unauthorized', message: 'Incorrect API key provided: {key}' }, 'bad_key'],
    [{ kind: 'no_credit' }, 'no_credit'],
    [{ kind: 'rate_limited', retryAfter: 1 }, 'rate_limited'],
    [{ kind: 'server_error', message: 'inside' }, 'http_status'],
    [{ kind: 'garbage', body: '{"choices":[]}' }, 'not_json'],
    [{ kind: 'garbage', body: 'x'.repeat(300_000) }, 'not_json'],
    [{ kind: 'cut' }, 'unreachable'],
    [{ kind: 'redirect', location: 'http://127.0.0.1:1/' }, 'unreachable'],
  ])('that fails with $0.kind: $1', async (fault, reason) => {
    await store()
    openai.setFault(fault)
    expect(await test('ai')).toEqual(failed(reason))
  })

  it('is not tested inside the network, nor where no server listens', async () => {
    await store({ base_url: 'http://127.0.0.1:1/v1' })
    expect(await test('ai')).toEqual(failed('unreachable'))
    for (const [base_url, reason] of [
      ['https://169.254.169.254/v1', 'inside_address'],
      ['https://10.0.0.1/v1', 'inside_address'],
      ['http://api.example/v1', 'bad_base_url'],
    ]) {
      await store({ base_url })
      expect(await test('ai')).toEqual(failed(String(reason)))
    }
    await store({ base_url: `${openai.url}/elsewhere` })
    expect(await test('ai')).toEqual(failed('not_found'))
  })
})

it('waits no longer than it has to', async () => {
  await connect(app.stack, group.id, 'twilio', TWILIO)
  await connect(app.stack, group.id, 'resend', RESEND)
  await connectAi(app.stack, group, {})
  twilio.setFault({ kind: 'hang' })
  resend.setFault({ kind: 'hang' })
  openai.setFault({ kind: 'hang' })
  const { organization } = group
  const session = { organization, db: undefined as never, user_id: '', role: 'admin' as const }
  for (const type of ['twilio', 'resend', 'ai'])
    expect(await testConnection(session, type, undefined, 100)).toMatchObject({
      success: false,
      reason: 'timeout',
    })
})

it('says that a stored key cannot be read', async () => {
  await connect(app.stack, group.id, 'resend', RESEND)
  await app.stack.sql(`update public.integration_configs set secrets = '{"api_key": "00000000.AAAA"}'`)
  expect(await test('resend')).toEqual(failed('unreadable_key'))
})

it('is of the own organization, ten times a minute', async () => {
  await connect(app.stack, group.id, 'resend', RESEND)
  const other = await createGroup(app.stack, 'Otro Grupo')
  const stranger = await signedIn(await other.person('super_admin'))
  expect(await test('resend', stranger)).toEqual(failed('not_configured'))
  const answers = await Promise.all(Array.from({ length: 11 }, () => test('resend', stranger)))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  expect(resend.requests).toEqual([])
})

it('reveals no secret in answers or the log', () => {
  expect(said.length).toBeGreaterThan(30)
  const secrets = [
    TWILIO.auth_token,
    RESEND.api_key,
    AI_KEY,
    'wrong-token-7d1e',
    'wrong-key-7d1e',
    'clave-ñ-☃',
  ]
  const basic = Buffer.from(`${TWILIO.account_sid}:${TWILIO.auth_token}`).toString('base64')
  const urls = [twilio.url, resend.url, openai.url]
  for (const secret of [...secrets, basic, ...urls])
    expect([...said, ...written].filter((text) => text.includes(secret))).toEqual([])
})
