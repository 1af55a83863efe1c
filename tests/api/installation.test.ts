import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clocks } from '@/lib/deployment/database'
import type { Line, LineId } from '@/lib/deployment/lines'
import { connectPms, type Group } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import type { PmsSimulator } from '../fakes/pms/server'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { connectAi } from '../support/ai-group'
import { startApp, type TestApp } from '../support/app'
import { type AuthFront, startAuthFront } from '../support/auth-front'
import { deployWith, type PublicAddress, servePublicly } from '../support/deployment'
import { lineInWords } from '../support/installation-words'
import { startPmsGroup } from '../support/pms-group'
import { roleTokens } from '../support/postgres/jwt'

// A right installation, and then one fault at a time: made where it would really be, in the deployment's variables, at
// Supabase's gateway, in the database, or at a provider.
let app: TestApp
let front: AuthFront
let group: Group
let pms: PmsSimulator
let twilio: FakeTwilio
let resend: FakeResend
let openai: OpenAiFake
let address: PublicAddress
let other: PublicAddress
let auth: Record<string, unknown>
let empty: Line[]

const health = async () => {
  const { GET } = await import('@/app/api/health/route')
  return GET(new Request('http://localhost:3000/api/health'))
}
const sql = (query: string, parameters?: unknown[]) => app.stack.sql(query, parameters)

describe.runIf(process.env.STACK === 'postgres')('the check of an installation', { shuffle: false }, () => {
  beforeAll(async () => {
    twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token })
    resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
    openai = await startOpenAi()
    address = await servePublicly(health)
    other = await servePublicly(async () => Response.json({ status: 'healthy' }))
    app = await startApp(
      {
        TWILIO_BASE_URL: twilio.url,
        RESEND_BASE_URL: resend.url,
        OPENAI_BASE_URL: openai.url,
        APP_URL: address.url,
        MESSAGE_SANDBOX: '',
        LOG_LEVEL: 'silent',
      },
      { confirmEmail: true, settings: { GOTRUE_DISABLE_SIGNUP: 'true' } },
    )
    front = await startAuthFront(app.stack.url)
    process.env.SUPABASE_URL = front.url
    const apikey = app.stack.keys.publishableKey
    auth = (await (
      await fetch(`${front.url}/auth/v1/settings`, { headers: { apikey } })
    ).json()) as typeof auth
    empty = await check()
    resend.account.domains = [{ name: 'grupo.example', status: 'verified' }]
    ;({ group, pms } = await startPmsGroup(app, ['Norte']))
    await connect(app.stack, group.id, 'twilio', TWILIO)
    await connect(app.stack, group.id, 'resend', RESEND)
    await connectAi(app.stack, group, {})
    await sql(
      `insert into public.job_runs (organization_id, job, status) values ($1, 'automations', 'succeeded')`,
      [group.id],
    )
    await sql(
      `insert into public.webhook_calls (organization_id, provider, heard_at)
       values ($1, 'twilio', now()), ($1, 'resend', now())`,
      [group.id],
    )
  })
  afterAll(async () => {
    await Promise.all([twilio, resend, openai, pms, address, other, front].map((each) => each?.close()))
    await app?.close()
  })

  /** A clock whose calls to the database take so long, and that is ahead by so much. */
  const clocks = ({ callMs = 4, aheadMs = 0 } = {}): Clocks => {
    let elapsed = 0
    return {
      elapsed: () => {
        elapsed += callMs
        return elapsed
      },
      now: () => new Date(Date.now() + aheadMs),
    }
  }

  async function check(with_: Clocks = clocks()): Promise<Line[]> {
    const { installation } = await import('@/lib/deployment/report')
    return (await installation({ clocks: with_ })).lines
  }
  const faulty = (lines: Line[]) => lines.filter(({ state }) => state !== 'right')

  /** What Supabase does not tell anybody. */
  const UNTOLD = 'address_forwarding'

  it('finds nothing wrong in a right one', async () => {
    const lines = await check()
    expect(faulty(lines).map(({ id, state }) => [id, state])).toEqual([[UNTOLD, 'unknown']])
    expect(lines.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'schema',
        'cron',
        'mailer',
        'pms',
        'twilio',
        'ai',
        'twilio_webhook',
        'storage',
      ]),
    )
    for (const line of lines)
      for (const locale of ['es', 'en'] as const) {
        const { title, found, todo } = lineInWords(line, locale)
        expect([title, found].every((text) => text.length > 3 && !text.includes('{'))).toBe(true)
        expect(todo === null).toBe(line.state === 'right')
      }
  })

  it('says what is missing before there is a group', () => {
    const found = faulty(empty)
    expect(found.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'address_forwarding unknown',
      'setup_token wrong',
      'cron unknown',
    ])
    const [, token, cron] = found.map((line) => [
      lineInWords(line, 'es').found,
      lineInWords(line, 'en').found,
    ])
    expect(token).toEqual([
      expect.stringContaining('Falta SETUP_TOKEN'),
      expect.stringContaining('SETUP_TOKEN is missing'),
    ])
    expect(cron).toEqual(['Todavía no hay ningún grupo.', 'There is no group yet.'])
  })

  interface Case {
    id: LineId
    /** In the words of both languages. */
    says: [spanish: RegExp, english: RegExp]
    env?: Record<string, string | undefined>
    clocks?: Clocks
    /** Makes the fault; what it returns mends it. */
    break?: () => Promise<unknown>
    mend?: () => Promise<unknown>
    /** Other lines that cannot be right then. */
    also?: LineId[]
    state?: 'unknown'
  }

  const authSays = (change: object) => async () =>
    front.replies.set('/auth/v1/settings', { status: 200, body: JSON.stringify({ ...auth, ...change }) })
  const frontIsClear = async () => front.replies.clear()
  /** Other keys; the provider has called since, by these. */
  const reconnect = async (type: 'resend' | 'twilio', settings: Parameters<typeof connect>[3]) => {
    await connect(app.stack, group.id, type, settings)
    await sql('update public.webhook_calls set heard_at = now(), refused_at = null')
  }
  const config = (type: string, change: object) => async () =>
    sql(
      `update public.integration_configs set config = config || $2::jsonb
       where integration_type = $1 and organization_id = '${group.id}'`,
      [type, JSON.stringify(change)],
    )
  const states = (body: string) => () =>
    sql(`create or replace function public.installation_state() returns jsonb language sql as $$ ${body} $$`)
  let schemaText = ''
  const rememberSchema = async () => {
    const [row] = await app.stack.sql<{ text: string }>(
      `select pg_get_functiondef('public.installation_state'::regproc) as text`,
    )
    schemaText = row?.text ?? ''
  }
  const secondKey = randomBytes(32).toString('base64')
  const DATABASE: LineId[] = ['secret_key', 'schema', 'region', 'clock', 'secrets_key', 'setup_token', 'cron']

  const CASES: Record<string, () => Case> = {
    'an address of Supabase without encryption': () => ({
      id: 'supabase_url',
      env: {
        ALLOW_LOOPBACK_UPSTREAMS: '0',
        TWILIO_BASE_URL: undefined,
        RESEND_BASE_URL: undefined,
        OPENAI_BASE_URL: undefined,
      },
      says: [/SUPABASE_URL no empieza por https/, /SUPABASE_URL does not begin with https/],
      also: ['app_url', 'pms', 'twilio', 'mailer', 'ai'],
    }),
    'another project’s publishable key': () => ({
      id: 'publishable_key',
      env: { SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_another_project' },
      says: [
        /no acepta la clave SUPABASE_PUBLISHABLE_KEY/,
        /does not accept the key SUPABASE_PUBLISHABLE_KEY/,
      ],
      also: ['sign_ups', 'confirmation', 'password_sign_in'],
    }),
    'the secret key in the place of the publishable one': () => ({
      id: 'publishable_key',
      env: { SUPABASE_PUBLISHABLE_KEY: app.stack.keys.secretKey },
      says: [
        /En SUPABASE_PUBLISHABLE_KEY está la otra clave/,
        /SUPABASE_PUBLISHABLE_KEY holds the other key/,
      ],
    }),
    'another project’s secret key': () => ({
      id: 'secret_key',
      env: { SUPABASE_SECRET_KEY: 'sb_secret_of_another_project' },
      says: [/no acepta la clave SUPABASE_SECRET_KEY/, /does not accept the key SUPABASE_SECRET_KEY/],
      also: [...DATABASE, 'storage'],
    }),
    'the publishable key in the place of the secret one': () => ({
      id: 'secret_key',
      env: { SUPABASE_SECRET_KEY: app.stack.keys.publishableKey },
      says: [/En SUPABASE_SECRET_KEY está la otra clave/, /SUPABASE_SECRET_KEY holds the other key/],
      also: [...DATABASE, 'storage'],
    }),
    'a legacy secret key, whose callers Auth cannot tell apart': () => ({
      id: UNTOLD,
      env: { SUPABASE_SECRET_KEY: roleTokens(app.stack.keys.jwtSecret)('service_role') },
      says: [/SUPABASE_SECRET_KEY es una clave antigua/, /SUPABASE_SECRET_KEY is a legacy key/],
      also: [...DATABASE, 'storage'],
    }),
    'another SECRETS_KEY than the one that sealed the stored keys': () => ({
      id: 'secrets_key',
      env: { SECRETS_KEY: secondKey },
      says: [/claves guardadas no se abren con SECRETS_KEY/, /stored keys do not open with SECRETS_KEY/],
      also: ['pms', 'twilio', 'mailer', 'ai'],
    }),
    'no CRON_SECRET': () => ({
      id: 'cron_secret',
      env: { CRON_SECRET: '' },
      says: [/Falta CRON_SECRET: se rechazan todas/, /CRON_SECRET is missing: all calls/],
    }),
    'the sandbox in production': () => ({
      id: 'sandbox',
      env: { MESSAGE_SANDBOX: '1' },
      says: [/MESSAGE_SANDBOX está en 1/, /MESSAGE_SANDBOX is 1/],
    }),
    'simulators’ addresses on Vercel': () => ({
      id: 'loopback',
      env: { VERCEL: '1', VERCEL_REGION: 'cdg1' },
      says: [/ALLOW_LOOPBACK_UPSTREAMS está en 1/, /ALLOW_LOOPBACK_UPSTREAMS is 1/],
    }),
    'a region outside Europe': () => ({
      id: 'region',
      env: { VERCEL_REGION: 'iad1' },
      says: [/funciona en iad1, fuera de Europa/, /runs in iad1, outside Europe/],
    }),
    'a database far away': () => ({
      id: 'region',
      env: { VERCEL_REGION: 'fra1' },
      clocks: clocks({ callMs: 92 }),
      says: [/tarda 92 ms: .* están lejos .*fra1/, /takes 92 ms: .* far apart .*fra1/],
    }),
    'a clock that is wrong': () => ({
      id: 'clock',
      clocks: clocks({ aheadMs: 300_000 }),
      says: [/se llevan (299|300|301) segundos/, /differ by (299|300|301) seconds/],
    }),
    'no APP_URL': () => ({
      id: 'app_url',
      env: { APP_URL: '' },
      says: [/Falta APP_URL/, /APP_URL is missing/],
    }),
    'an APP_URL without encryption': () => ({
      id: 'app_url',
      env: { APP_URL: 'http://crm.example' },
      says: [/http:\/\/crm\.example no empieza por https/, /http:\/\/crm\.example does not begin with https/],
    }),
    'an APP_URL where nothing answers': () => ({
      id: 'app_url',
      env: { APP_URL: 'http://127.0.0.1:1' },
      says: [/En http:\/\/127\.0\.0\.1:1 no responde nadie/, /Nothing answers at http:\/\/127\.0\.0\.1:1/],
    }),
    'the APP_URL of another installation': () => ({
      id: 'app_url',
      env: { APP_URL: other.url },
      says: [/no lleva a esta instalación/, /does not lead to this installation/],
    }),
    'a read replica that is none': () => ({
      id: 'replica',
      env: { SUPABASE_READ_URL: app.stack.url },
      says: [/réplica de SUPABASE_READ_URL no se está usando/, /replica of SUPABASE_READ_URL is not in use/],
    }),
    'open sign-up': () => ({
      id: 'sign_ups',
      break: authSays({ disable_signup: false }),
      mend: frontIsClear,
      says: [/deja registrarse a cualquiera/, /lets anybody sign up/],
    }),
    'e-mails that need no confirmation': () => ({
      id: 'confirmation',
      break: authSays({ mailer_autoconfirm: true }),
      mend: frontIsClear,
      says: [/da por confirmado cualquier correo/, /takes every e-mail for confirmed/],
    }),
    'no sign-in by password': () => ({
      id: 'password_sign_in',
      break: authSays({ external: { email: false } }),
      mend: frontIsClear,
      says: [/nadie puede entrar/, /nobody can sign in/],
    }),
    'an Auth that gives no answer': () => ({
      id: 'sign_ups',
      state: 'unknown',
      break: async () => front.replies.set('/auth/v1/settings', null),
      mend: frontIsClear,
      says: [/Supabase Auth no ha respondido/, /Supabase Auth has not answered/],
      also: ['publishable_key', 'confirmation', 'password_sign_in'],
    }),
    'a database that gives no answer': () => ({
      id: 'schema',
      state: 'unknown',
      break: async () => front.replies.set('/rest/v1/', null),
      mend: frontIsClear,
      says: [/Supabase no ha respondido/, /Supabase has not answered/],
      also: DATABASE,
    }),
    'no schema': () => ({
      id: 'schema',
      break: async () => {
        const missing = (code: string) => ({ status: 404, body: JSON.stringify({ code, message: 'x' }) })
        front.replies.set('/rest/v1/rpc/', missing('PGRST202'))
        front.replies.set('/rest/v1/', missing('42P01'))
      },
      mend: frontIsClear,
      says: [/está vacía: no tiene las tablas/, /is empty: it has no tables/],
      also: ['region', 'clock', 'secrets_key', 'setup_token', 'cron'],
    }),
    'an old schema': () => ({
      id: 'schema',
      break: states(`select jsonb_build_object('version', '20261120000100', 'now', clock_timestamp())`),
      mend: () => sql(schemaText),
      says: [/faltan migraciones de esta versión/, /lacks migrations of this version/],
    }),
    'a schema of a later version': () => ({
      id: 'schema',
      break: states(`select jsonb_build_object('version', '20991120000100', 'now', clock_timestamp())`),
      mend: () => sql(schemaText),
      says: [/migraciones más nuevas \(20991120000100\)/, /newer migrations \(20991120000100\)/],
    }),
    'a scheduler that stopped': () => ({
      id: 'cron',
      break: () => sql(`update public.job_runs set started_at = now() - interval '95 minutes'`),
      mend: () => sql('update public.job_runs set started_at = now()'),
      says: [/no llama desde hace 95 minutos/, /has not called for 95 minutes/],
    }),
    'a scheduler that never called, beside syncs by hand': () => ({
      id: 'cron',
      break: () => sql(`update public.job_runs set job = 'sync'`),
      mend: () => sql(`update public.job_runs set job = 'automations'`),
      says: [/no ha llamado nunca/, /has never called/],
    }),
    'webhooks with a wrong signature': () => ({
      id: 'twilio_webhook',
      break: () =>
        sql(`update public.webhook_calls set heard_at = now() - interval '2 days', refused_at = now()
             where provider = 'twilio'`),
      mend: () => sql('update public.webhook_calls set heard_at = now(), refused_at = null'),
      says: [/venía mal firmado y se rechazó/, /had a wrong signature and was refused/],
    }),
    'a wrong signature soon after a right one, which anybody can send': () => ({
      id: 'twilio_webhook',
      state: 'unknown',
      break: () =>
        sql(`update public.webhook_calls set heard_at = now() - interval '23 hours', refused_at = now()
             where provider = 'twilio'`),
      mend: () => sql('update public.webhook_calls set heard_at = now(), refused_at = null'),
      says: [/venía mal firmado y se rechazó/, /had a wrong signature and was refused/],
    }),
    'a wrong signature, and never a right one': () => ({
      id: 'twilio_webhook',
      break: () =>
        sql(`update public.webhook_calls set heard_at = null, refused_at = now() where provider = 'twilio'`),
      mend: () => sql('update public.webhook_calls set heard_at = now(), refused_at = null'),
      says: [/venía mal firmado y se rechazó/, /had a wrong signature and was refused/],
    }),
    'a webhook that was never heard': () => ({
      id: 'resend_webhook',
      state: 'unknown',
      break: () => sql(`update public.webhook_calls set heard_at = null where provider = 'resend'`),
      mend: () => sql('update public.webhook_calls set heard_at = now()'),
      says: [/\/api\/webhooks\/resend/, /\/api\/webhooks\/resend/],
    }),
    'no key for the webhook of Resend': () => ({
      id: 'resend_webhook',
      break: () =>
        reconnect('resend', {
          api_key: RESEND.api_key,
          from_email: RESEND.from_email,
          from_name: RESEND.from_name,
        }),
      mend: () => reconnect('resend', RESEND),
      says: [/Falta la clave con la que firma/, /The key that signs is missing/],
    }),
    'no e-mail provider': () => ({
      id: 'mailer',
      break: () =>
        sql(`update public.integration_configs set is_enabled = false where integration_type = 'resend'`),
      mend: () => sql('update public.integration_configs set is_enabled = true'),
      says: [/no tiene correo conectado/, /has no e-mail connected/],
    }),
    'a wrong key of Resend': () => ({
      id: 'mailer',
      break: () => reconnect('resend', { ...RESEND, api_key: 're_123' }),
      mend: () => reconnect('resend', RESEND),
      says: [/Resend no acepta la clave/, /Resend does not accept the key/],
    }),
    'a sender of another domain': () => ({
      id: 'mailer',
      break: config('resend', { from_email: 'hola@otro.example' }),
      mend: config('resend', { from_email: RESEND.from_email }),
      says: [/dominio del correo del remitente no está verificado/, /domain of the sender.* is not verified/],
    }),
    'a wrong token of Twilio': () => ({
      id: 'twilio',
      break: () => reconnect('twilio', { ...TWILIO, auth_token: 'wrong' }),
      mend: () => reconnect('twilio', TWILIO),
      says: [/Twilio no acepta la clave/, /Twilio does not accept the key/],
    }),
    'a suspended account of Twilio': () => ({
      id: 'twilio',
      break: async () => Object.assign(twilio.account, { status: 'suspended' }),
      mend: async () => Object.assign(twilio.account, { status: 'active' }),
      says: [/suspendida o cerrada/, /suspended or closed/],
    }),
    'an SMS sender of twenty letters': () => ({
      id: 'sms_sender',
      break: config('twilio', { sms_from: 'RestaurantesDeLumbre' }),
      mend: config('twilio', { sms_from: TWILIO.sms_from }),
      says: [/RestaurantesDeLumbre no es un remitente válido/, /RestaurantesDeLumbre is not a valid sender/],
      also: ['twilio'],
    }),
    'an SMS sender of seven digits, which no short code has': () => ({
      id: 'sms_sender',
      break: config('twilio', { sms_from: '1234567' }),
      mend: config('twilio', { sms_from: TWILIO.sms_from }),
      says: [/1234567 no es un remitente válido/, /1234567 is not a valid sender/],
      also: ['twilio'],
    }),
    'a WhatsApp sender that is a name': () => ({
      id: 'whatsapp_sender',
      break: config('twilio', { whatsapp_from: 'Lumbre' }),
      mend: config('twilio', { whatsapp_from: TWILIO.whatsapp_from }),
      says: [/Lumbre no es un remitente válido/, /Lumbre is not a valid sender/],
      also: ['twilio'],
    }),
    'a wrong key of the PMS': () => ({
      id: 'pms',
      break: () => connectPms(app.stack, group.id, pms.url, 'wrong'),
      mend: () => connectPms(app.stack, group.id, pms.url),
      says: [/sistema de reservas no acepta la clave/, /reservation system does not accept the key/],
    }),
    'a language model without credit': () => ({
      id: 'ai',
      break: async () => openai.setFault({ kind: 'no_credit' }),
      mend: async () => openai.setFault(null),
      says: [/no tiene saldo/, /no credit/],
    }),
    'no bucket for images': () => ({
      id: 'storage',
      break: () => bucket('DELETE'),
      mend: () => bucket('POST'),
      says: [/No está el almacén email-images/, /bucket email-images is not there/],
    }),
    'a private bucket': () => ({
      id: 'storage',
      break: async () =>
        front.replies.set('/storage/v1/bucket/', {
          status: 200,
          body: '{"id":"email-images","public":false}',
        }),
      mend: frontIsClear,
      says: [/almacén email-images es privado/, /bucket email-images is private/],
    }),
    'a Storage that is switched off': () => ({
      id: 'storage',
      state: 'unknown',
      break: async () => front.replies.set('/storage/v1/', { status: 503, body: '{}' }),
      mend: frontIsClear,
      says: [/Supabase Storage no ha respondido/, /Supabase Storage has not answered/],
    }),
  }

  async function bucket(method: string) {
    const path = method === 'DELETE' ? '/email-images' : ''
    const apikey = app.stack.keys.secretKey
    await fetch(`${front.url}/storage/v1/bucket${path}`, { method, headers: { apikey } })
  }

  it.each(Object.keys(CASES))('names %s in both languages, and nothing else', async (name) => {
    if (schemaText === '') await rememberSchema()
    const found = CASES[name]?.() as Case
    const before = deployWith(found.env ?? {})
    try {
      await found.break?.()
      const lines = faulty(await check(found.clocks))
      const line = lines.find(({ id }) => id === found.id)
      expect(line?.state).toBe(found.state ?? 'wrong')
      const expected = new Set([found.id, UNTOLD, ...(found.also ?? [])])
      expect(lines.map(({ id }) => id).filter((id) => !expected.has(id))).toEqual([])
      for (const [index, locale] of (['es', 'en'] as const).entries()) {
        const words = lineInWords(line as Line, locale)
        expect(`${words.found} ${words.todo}`).toMatch(found.says[index] as RegExp)
        expect(words.todo).toMatch(/.{15,}\.$|:.*$/)
        for (const secret of secretsOf()) expect(JSON.stringify([line, words])).not.toContain(secret)
      }
    } finally {
      await found.mend?.()
      deployWith(before)
    }
  })

  const secretsOf = () => {
    const { secretKey, publishableKey, cronSecret, secretsKey } = app.stack.keys
    return [secretKey, publishableKey, cronSecret, secretsKey, TWILIO.auth_token, RESEND.api_key]
  }

  it('tells an address of Supabase inside a private network from one without encryption', async () => {
    const before = deployWith({ SUPABASE_URL: 'https://10.0.0.1' })
    try {
      const { addressLine } = await import('@/lib/deployment/keys')
      const words = (['es', 'en'] as const).map((locale) => lineInWords(addressLine(), locale).found)
      expect(words).toEqual([
        'SUPABASE_URL lleva a una red privada, no a una dirección de internet.',
        'SUPABASE_URL leads to a private network, not to an address on the internet.',
      ])
    } finally {
      deployWith(before)
    }
  })

  it.each(['Tapas&Co', 'MGrill', '255555'])('takes the SMS sender %s, as the form does', async (sms_from) => {
    await config('twilio', { sms_from })()
    const lines = await check()
    await config('twilio', { sms_from: TWILIO.sms_from })()
    expect(faulty(lines).map(({ id }) => id)).toEqual([UNTOLD])
    expect(lines.find(({ id }) => id === 'sms_sender')).toMatchObject({ state: 'right', detail: sms_from })
  })

  it('is right again once all is mended', async () => {
    expect(faulty(await check()).map(({ id }) => id)).toEqual([UNTOLD])
  })
})
