import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { enabledPmsConfigs } from '@/lib/integrations/services/pms'
import { createGroup, type Group, PMS_KEY, stackClient } from '../factories/group'
import type { PmsSimulator } from '../fakes/pms/server'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { startPmsGroup } from '../support/pms-group'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const written = vi.hoisted((): string[] => [])
// What the app logs, with its own options: redaction included.
vi.mock('pino', async (original) => {
  const { default: pino } = await original<typeof import('pino')>()
  return { default: (options: object) => pino(options, { write: (text: string) => void written.push(text) }) }
})

let app: TestApp
let group: Group
let other: Group
let pms: PmsSimulator
let boss: Client

beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'debug', PMS_TIMEOUT_MS: '2000' })
  // The simulator draws a day's guests by its date: so many that the quietest day has some bookings, too.
  ;({ group, pms } = await startPmsGroup(app, ['Alfa', 'Bravo', 'Charlie'], 70))
  other = await createGroup(app.stack, 'Otras Llaves', [{ name: 'Este', slug: 'este' }])
  boss = await signedIn(await group.person('admin'))
})
beforeEach(() => app.stack.sql('delete from public.integration_configs'))
afterAll(async () => {
  await pms?.close()
  await app?.close()
})

const put = (type: string, config: unknown, is_enabled: unknown = true, client = boss) =>
  client.request('PUT', `/api/integrations/${type}`, { body: { is_enabled, config } }).then(answer)
const list = async (client = boss) => (await answer(await client.request('GET', '/api/integrations'))).body
const stored = () =>
  app.stack.sql<{ type: string; config: object; secrets: Record<string, string> }>(
    `select organization_id::text, integration_type as type, is_enabled, config, secrets
     from public.integration_configs order by 1, 2`,
  )
const SECRET = 'sk-live-9f8e7d6c5b4a'
// Twilio and Resend have forms of their own.
const TOKEN = '9f8e7d6c5b4a9f8e7d6c5b4a9f8e7d6c'
const KEY = 're_9f8e7d6c5b4a_9f8e7d6c'
const ACCOUNT = `AC${'0a1b'.repeat(8)}`
const COMPLETE = {
  pms: { api_key: SECRET, base_url: 'https://pms.example' },
  ai: { api_key: SECRET },
  twilio: { account_sid: ACCOUNT, auth_token: TOKEN, sms_from: '+34600000000' },
  resend: { api_key: KEY, from_email: 'hola@grupo.example' },
}
const NOTHING = [
  {
    integration_type: 'pms',
    is_enabled: false,
    config: { api_key: null, api_key_set: false, venue_id: null, base_url: null },
  },
  {
    integration_type: 'ai',
    is_enabled: false,
    config: {
      api_key: null,
      api_key_set: false,
      model: null,
      temperature: null,
      max_tokens: null,
      base_url: null,
    },
  },
  {
    integration_type: 'twilio',
    is_enabled: false,
    config: {
      account_sid: null,
      auth_token: null,
      auth_token_set: false,
      sms_from: null,
      whatsapp_from: null,
    },
  },
  {
    integration_type: 'resend',
    is_enabled: false,
    config: {
      api_key: null,
      api_key_set: false,
      from_email: null,
      from_name: null,
      webhook_secret: null,
      webhook_secret_set: false,
    },
  },
]

describe('integrations', () => {
  it('are always all four', async () => {
    expect(await list()).toEqual({ data: NOTHING, next_cursor: null })
  })

  it.each(Object.entries(COMPLETE))(
    '%s is saved, its secret encrypted and only said to be there',
    async (type, config) => {
      const empty = NOTHING.find((one) => one.integration_type === type)
      const secret = type === 'twilio' ? 'auth_token' : 'api_key'
      const expected = {
        ...empty,
        is_enabled: true,
        config: { ...empty?.config, ...config, [secret]: null, [`${secret}_set`]: true },
      }
      expect(await put(type, config)).toEqual({ status: 200, body: { data: expected } })
      expect(
        (await list()).data.find((one: { integration_type: string }) => one.integration_type === type),
      ).toEqual(expected)
      const rows = await stored()
      expect(Object.keys(rows[0]?.secrets ?? {})).toEqual([secret])
      for (const plain of [SECRET, TOKEN, KEY]) expect(JSON.stringify(rows)).not.toContain(plain)
    },
  )

  it('stay with their organization', async () => {
    const stranger = await signedIn(await other.person('admin'))
    await put('ai', { api_key: SECRET }, true, stranger)
    expect(await list()).toEqual({ data: NOTHING, next_cursor: null })
    await put('ai', { api_key: SECRET, model: 'mine' })
    expect((await stored()).map((row) => row.config)).toContainEqual({})
  })

  it('the PMS key is what the sync then uses', async () => {
    await put('pms', { ...COMPLETE.pms, venue_id: 'v1' })
    const service = stackClient(app.stack, 'service')
    expect(await enabledPmsConfigs(service, group.id)).toEqual([
      { organizationId: group.id, baseUrl: 'https://pms.example', apiKey: SECRET, venueId: 'v1' },
    ])
    await put('pms', { base_url: 'https://pms.example/v2' })
    expect(await enabledPmsConfigs(service, group.id)).toMatchObject([
      { baseUrl: 'https://pms.example/v2', apiKey: SECRET },
    ])
  })

  it('keep a secret left out, delete one that is null or empty, and clear other fields', async () => {
    await put('resend', { ...COMPLETE.resend, from_name: 'Grupo', webhook_secret: 'whsec_9f8e7d6c5b4a9f8e' })
    expect((await put('resend', { from_email: 'otra@grupo.example' })).body.data.config).toEqual({
      api_key: null,
      api_key_set: true,
      from_email: 'otra@grupo.example',
      from_name: null,
      webhook_secret: null,
      webhook_secret_set: true,
    })
    const cleared = await put('resend', { webhook_secret: null, api_key: '  ' }, false)
    expect(cleared.body.data.config).toMatchObject({ api_key_set: false, webhook_secret_set: false })
    expect((await stored())[0]?.secrets).toEqual({})
  })

  const SENDERS = ['sms_from', 'whatsapp_from']
  it.each([
    ['pms', {}, ['api_key', 'base_url']],
    ['pms', { base_url: 'https://pms.example' }, ['api_key']],
    ['pms', { ...COMPLETE.pms, base_url: '' }, ['base_url']],
    ['ai', { model: 'x' }, ['api_key']],
    ['twilio', {}, ['account_sid', 'auth_token', ...SENDERS]],
    ['twilio', { ...COMPLETE.twilio, sms_from: null }, SENDERS],
    ['resend', { api_key: KEY }, ['from_email']],
  ])('an enabled %s of %j lacks something', async (type, config, lacking) => {
    const { status, body } = await put(type, config)
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
    expect(body.issues).toEqual(
      lacking.map((name) => ({
        path: `config.${name}`,
        code: SENDERS.includes(name) ? 'one_required' : 'required',
      })),
    )
    expect(await list()).toEqual({ data: NOTHING, next_cursor: null })
    expect((await put(type, config, false)).status).toBe(200)
  })

  it('that is enabled does not lose its secret', async () => {
    await put('ai', COMPLETE.ai)
    const before = await stored()
    expect((await put('ai', { api_key: null })).status).toBe(400)
    expect(await stored()).toEqual(before)
  })

  it.each([
    ['pms', { base_url: 'http://pms.example' }],
    ['pms', { base_url: 'ftp://127.0.0.1' }],
    ['pms', { base_url: `https://user:${SECRET}@pms.example` }],
    ['pms', { base_url: 'https://pms.example/?a=1' }],
    ['pms', { base_url: 'no address' }],
    ['pms', { api_key: 'a\u0000b' }],
    ['pms', { api_key: 'a\r\nb' }],
    ['pms', { api_key: 7 }],
    ['pms', { api_key: 'x'.repeat(1001) }],
    ['pms', { model: 'of another type' }],
    ['ai', { temperature: 2.1 }],
    ['ai', { temperature: -0.1 }],
    ['ai', { temperature: '0.7' }],
    ['ai', { max_tokens: 0 }],
    ['ai', { max_tokens: 32_001 }],
    ['ai', { max_tokens: 1.5 }],
    ['ai', { base_url: 'javascript:alert(1)' }],
    ['resend', { from_email: 'nobody' }],
    ['resend', { from_name: 'A\nBcc: x@y.example' }],
    ['twilio', { account_sid: {} }],
    ['twilio', { account_sid: 'AC123' }],
    ['twilio', { account_sid: `SK${'0'.repeat(32)}` }],
    ['twilio', { auth_token: 'the token' }],
    ['twilio', { auth_token: `${TOKEN}0` }],
    ['twilio', { sms_from: 'Veinte letras de más' }],
    ['twilio', { sms_from: '600 111 222' }],
    ['twilio', { sms_from: '+34 600 1' }],
    ['twilio', { sms_from: '¡Grupo!' }],
    ['twilio', { sms_from: `mg${'0'.repeat(32)}` }],
    ['twilio', { whatsapp_from: 'Grupo' }],
    ['twilio', { whatsapp_from: '34600111222' }],
    ['twilio', { whatsapp_from: `mg${'0'.repeat(32)}` }],
    ['twilio', { whatsapp_from: 'WhatsApp:+34600111222' }],
    ['resend', { api_key: 're_123' }],
    ['resend', { api_key: SECRET }],
    ['resend', { webhook_secret: 'whsec_1' }],
    ['resend', { webhook_secret: TOKEN }],
    ['ai', null],
    ['ai', []],
    ['ai', undefined],
  ])('%s refuses %j', async (type, config) => {
    expect(await put(type, config, false)).toEqual(refusal('INVALID_INPUT'))
    expect(await stored()).toEqual([])
  })

  it.each([
    ['+34 600 111-222', '+34600111222'],
    [' Grupo Norte ', 'Grupo Norte'],
    ['MGrill', 'MGrill'],
    ['25555', '25555'],
    [`MG${'0'.repeat(32)}`, `MG${'0'.repeat(32)}`],
  ])('twilio takes the sender %j as %j', async (sms_from, kept) => {
    expect((await put('twilio', { ...COMPLETE.twilio, sms_from })).body.data.config.sms_from).toBe(kept)
  })

  it('twilio takes a number of WhatsApp with or without its prefix', async () => {
    for (const whatsapp_from of ['+34600111222', 'whatsapp:+34600111222'])
      expect((await put('twilio', { ...COMPLETE.twilio, whatsapp_from })).body.data.config).toMatchObject({
        whatsapp_from,
      })
  })

  it('take their limits, and loopback where that is allowed', async () => {
    expect(
      (await put('ai', { temperature: 0, max_tokens: 32_000, base_url: 'http://127.0.0.1:9' }, false)).status,
    ).toBe(200)
    expect((await put('ai', { temperature: 2, max_tokens: 1 }, false)).status).toBe(200)
  })

  it.each(['sms', 'PMS', '__proto__', 'x'.repeat(30)])('of the type %s there are none', async (type) => {
    expect(await put(type, {})).toEqual(refusal('NOT_FOUND'))
  })

  it('refuse another body', async () => {
    for (const body of [{}, { is_enabled: 'yes', config: {} }, { is_enabled: true, config: {}, secrets: {} }])
      expect((await boss.request('PUT', '/api/integrations/ai', { body })).status).toBe(400)
  })
})

describe('a secret', () => {
  it('is in no answer, no error and no log line, nor is its ciphertext', async () => {
    const texts: string[] = []
    const note = async (response: Response) => texts.push(await response.text(), ...response.headers.values())
    for (const [type, config] of Object.entries(COMPLETE)) {
      for (const body of [
        { is_enabled: true, config },
        { is_enabled: true, config: { ...config, base_url: 'nowhere', from_email: 'x' } },
        { is_enabled: true, config: { ...config, unknown: 1 } },
      ])
        await note(await boss.request('PUT', `/api/integrations/${type}`, { body }))
    }
    await note(await boss.request('GET', '/api/integrations'))
    const ciphertexts = (await stored()).flatMap(({ secrets }) => Object.values(secrets))
    await note(await boss.request('POST', '/api/integrations/pms/test'))
    // An unexpected failure is logged whole.
    await app.stack.sql('alter table public.integration_configs rename column secrets to elsewhere')
    try {
      const body = { is_enabled: true, config: COMPLETE.pms }
      const failed = await boss.request('PUT', '/api/integrations/pms', { body })
      expect(failed.status).toBe(500)
      await note(failed)
    } finally {
      await app.stack.sql('alter table public.integration_configs rename column elsewhere to secrets')
    }
    expect(written.join('')).toContain('request failed')
    expect(ciphertexts).toHaveLength(4)
    for (const secret of [SECRET, TOKEN, KEY, ...ciphertexts])
      expect([...texts, ...written].filter((text) => text.includes(secret))).toEqual([])
  })
})

describe('POST /api/integrations/pms/test', () => {
  beforeEach(() => app.stack.sql(emptyTables('rate_limits')))
  const test = async (client = boss, body?: object) =>
    answer(await client.request('POST', '/api/integrations/pms/test', body ? { body } : {}))
  const failed = (reason: string) => ({
    status: 200,
    body: { success: false, reason, error: expect.any(String) },
  })

  it('asks the PMS for today, and saves nothing', async () => {
    expect(await test()).toEqual(failed('not_configured'))
    await put('pms', { api_key: PMS_KEY, base_url: pms.url }, false)
    pms.ledger.clear()
    const { status, body } = await test()
    const served = pms.ledger.entries.flatMap(({ truths }) => truths)
    const count = (of: string) => served.filter(({ status }) => status === of).length
    expect(served.length).toBeGreaterThan(5)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      details: {
        venue: 'alfa',
        shape: 'client_fields',
        bookings: served.length,
        covers: served
          .filter(({ status }) => !['cancelled', 'no_show'].includes(status))
          .reduce((sum, { partySize }) => sum + partySize, 0),
        by_status: {
          confirmed: count('confirmed'),
          cancelled: count('cancelled'),
          no_show: count('no_show'),
        },
        unknown_statuses: [],
        unreadable: [],
      },
    })
    for (const { rawEmail, rawPhone, person } of served)
      for (const personal of [rawEmail, rawPhone, person?.lastName])
        if (personal) expect(JSON.stringify(body)).not.toContain(personal)
    for (const table of ['reservations', 'customers', 'job_runs'])
      expect(await app.stack.sql(`select 1 from public.${table}`)).toEqual([])
  })

  const typed = (config: object, client?: Client) => test(client, { config })

  it('tries what is typed before anything is saved', async () => {
    expect(await typed({ base_url: pms.url, api_key: PMS_KEY })).toMatchObject({
      body: { success: true, details: { venue: 'alfa' } },
    })
    expect(await typed({ base_url: pms.url, api_key: PMS_KEY, venue_id: 'bravo' })).toMatchObject({
      body: { success: true, details: { venue: 'bravo', shape: 'booking_fields' } },
    })
    expect(await typed({ base_url: pms.url, api_key: 'otra' })).toEqual(failed('bad_key'))
    expect(await typed({ base_url: pms.url, api_key: PMS_KEY, venue_id: 'no-hay' })).toEqual(
      failed('unknown_venue'),
    )
    for (const config of [
      {},
      { base_url: pms.url },
      { api_key: PMS_KEY },
      { base_url: pms.url, api_key: null },
    ])
      expect(await typed(config), JSON.stringify(config)).toEqual(failed('not_configured'))
    expect(await stored()).toEqual([])
  })

  it('takes the stored key where none is typed, at its own address and no other', async () => {
    await put('pms', { api_key: PMS_KEY, base_url: 'https://pms.example', venue_id: 'bravo' })
    expect(await typed({ base_url: pms.url })).toEqual(failed('new_address'))
    await put('pms', { api_key: PMS_KEY, base_url: pms.url, venue_id: 'bravo' })
    expect(await typed({ base_url: `${pms.url}/` })).toMatchObject({ body: { success: true } })
    // What saving would leave: no key.
    expect(await typed({ base_url: pms.url, api_key: null })).toEqual(failed('not_configured'))
    await app.stack.sql(`update public.integration_configs set secrets = '{"api_key": "00000000.AAAA"}'`)
    expect(await typed({ base_url: pms.url })).toEqual(failed('unreadable_key'))
    expect(await typed({ base_url: pms.url, api_key: PMS_KEY })).toMatchObject({ body: { success: true } })
  })

  it('works before a location exists, with a restaurant that is typed or stored', async () => {
    const started = await createGroup(app.stack, 'Grupo Nuevo')
    const client = await signedIn(await started.person('super_admin'))
    const settings = { base_url: pms.url, api_key: PMS_KEY }
    expect(await typed(settings, client)).toEqual(failed('no_location'))
    const works = { body: { success: true, details: { venue: 'charlie' } } }
    expect(await typed({ ...settings, venue_id: 'charlie' }, client)).toMatchObject(works)
    await put('pms', { ...settings, venue_id: 'charlie' }, true, client)
    expect(await test(client)).toMatchObject(works)
  })

  it.each([
    [{ config: { base_url: 'http://pms.example' } }, 'config.base_url'],
    [{ config: { base_url: 'https://169.254.169.254' } }, 'config.base_url'],
    [{ config: { base_url: 'https://a:b@pms.example' } }, 'config.base_url'],
    [{ config: { api_key: 'a\r\nb' } }, 'config.api_key'],
    [{ config: { model: 'x' } }, 'config'],
    [{ base_url: 'https://pms.example' }, 'config'],
    [{}, 'config'],
  ])('refuses %j', async (body, path) => {
    expect(await test(undefined, body)).toEqual(invalid(path))
  })

  it('lets nobody bound to locations type an address or a restaurant', async () => {
    const alfa = String(group.locations.find(({ slug }) => slug === 'alfa')?.id)
    const bound = await signedIn(await group.person('admin', [alfa]))
    expect(await typed({ base_url: pms.url, api_key: PMS_KEY }, bound)).toEqual(refusal('FORBIDDEN'))
    await put('pms', { base_url: pms.url, api_key: PMS_KEY, venue_id: 'bravo' })
    await app.stack.sql(`update public.locations set pms_id = null where id = $1`, [alfa])
    expect(await test(bound)).toEqual(failed('no_location'))
    await app.stack.sql(`update public.locations set pms_id = 'alfa' where id = $1`, [alfa])
  })

  it('says what is wrong, without address or key', async () => {
    await put('pms', { api_key: 'wrong-key', base_url: pms.url })
    expect(await test()).toEqual(failed('bad_key'))
    await put('pms', { api_key: PMS_KEY, base_url: 'http://127.0.0.1:1' })
    expect(await test()).toEqual(failed('unreachable'))
    await put('pms', { api_key: PMS_KEY, base_url: pms.url })
    pms.setFault('alfa', { kind: 'error', status: 503 })
    expect(await test()).toEqual(failed('http_status'))
    pms.setFault('alfa', { kind: 'hang' })
    expect(await test()).toEqual(failed('timeout'))
    pms.clearFaults()
    await app.stack.sql(`update public.integration_configs set secrets = '{"api_key": "00000000.AAAA"}'`)
    expect(await test()).toEqual(failed('unreadable_key'))
  })

  it('tries a location of the caller’s', async () => {
    await put('pms', { api_key: PMS_KEY, base_url: pms.url })
    pms.setFault('alfa', { kind: 'error', status: 503 })
    const bravo = String(group.locations.find(({ slug }) => slug === 'bravo')?.id)
    expect(await test(await signedIn(await group.person('admin', [bravo])))).toMatchObject({
      body: { success: true },
    })
    pms.clearFaults()
    await app.stack.sql('update public.locations set is_active = false where organization_id = $1', [
      group.id,
    ])
    expect(await test()).toEqual(failed('no_location'))
    await app.stack.sql('update public.locations set is_active = true')
  })

  it('lets ten a minute through', async () => {
    const client = await signedIn(await group.person('admin'))
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.request('POST', '/api/integrations/pms/test')),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})
