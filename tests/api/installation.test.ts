import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { LineId } from '@/lib/deployment/lines'
import { deployWith } from '../support/deployment'
import {
  type Cases,
  check,
  clocks,
  DATABASE,
  describeInstallation,
  expectRight,
  faulty,
  type Installation,
  UNTOLD,
} from '../support/installation'
import { lineInWords } from '../support/installation-words'
import { roleTokens } from '../support/postgres/jwt'

// A right installation, and then one fault at a time in what its deployment is given: the variables, the region and the
// clock. installation-services.test.ts has the faults elsewhere.
let here: Installation
const SECRET_KEY_OPENS: LineId[] = [...DATABASE, 'storage']
const secondKey = randomBytes(32).toString('base64')

async function inZone(timezone: string): Promise<void> {
  for (const table of ['organizations', 'locations'])
    await here.app.stack.sql(`update public.${table} set timezone = $1`, [timezone])
}

const cases: Cases = {
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
    says: [/no acepta la clave SUPABASE_PUBLISHABLE_KEY/, /does not accept the key SUPABASE_PUBLISHABLE_KEY/],
    also: ['sign_ups', 'confirmation', 'password_sign_in'],
  }),
  'the secret key in the place of the publishable one': () => ({
    id: 'publishable_key',
    env: { SUPABASE_PUBLISHABLE_KEY: here.app.stack.keys.secretKey },
    says: [/En SUPABASE_PUBLISHABLE_KEY está la otra clave/, /SUPABASE_PUBLISHABLE_KEY holds the other key/],
  }),
  'another project’s secret key': () => ({
    id: 'secret_key',
    env: { SUPABASE_SECRET_KEY: 'sb_secret_of_another_project' },
    says: [/no acepta la clave SUPABASE_SECRET_KEY/, /does not accept the key SUPABASE_SECRET_KEY/],
    also: SECRET_KEY_OPENS,
  }),
  'the publishable key in the place of the secret one': () => ({
    id: 'secret_key',
    env: { SUPABASE_SECRET_KEY: here.app.stack.keys.publishableKey },
    says: [/En SUPABASE_SECRET_KEY está la otra clave/, /SUPABASE_SECRET_KEY holds the other key/],
    also: SECRET_KEY_OPENS,
  }),
  'a legacy secret key, whose callers Auth cannot tell apart': () => ({
    id: UNTOLD,
    env: { SUPABASE_SECRET_KEY: roleTokens(here.app.stack.keys.jwtSecret)('service_role') },
    says: [/SUPABASE_SECRET_KEY es una clave antigua/, /SUPABASE_SECRET_KEY is a legacy key/],
    also: SECRET_KEY_OPENS,
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
  'a region outside Europe, for a group on the Canary Islands': () => ({
    id: 'region',
    env: { VERCEL_REGION: 'iad1' },
    break: () => inZone('Atlantic/Canary'),
    says: [/funciona en iad1, fuera de Europa/, /runs in iad1, outside Europe/],
    mend: () => inZone('Europe/Madrid'),
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
    env: { APP_URL: here.other.url },
    says: [/no lleva a esta instalación/, /does not lead to this installation/],
  }),
  'a read replica that is none': () => ({
    id: 'replica',
    env: { SUPABASE_READ_URL: here.app.stack.url },
    says: [/réplica de SUPABASE_READ_URL no se está usando/, /replica of SUPABASE_READ_URL is not in use/],
  }),
}

const begin = (started: Installation) => {
  here = started
}
describeInstallation('the check of an installation', { begin, cases }, () => {
  it('finds nothing wrong in a right one', async () => {
    const lines = await check()
    expectRight(lines)
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
    const found = faulty(here.empty)
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
})
