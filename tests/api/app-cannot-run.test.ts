import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { NextRequest } from 'next/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../support/app'
import { type AuthFront, startAuthFront } from '../support/auth-front'
import { deployWith, type PublicAddress, servePublicly } from '../support/deployment'

const written = vi.hoisted((): string[] => [])
vi.mock('pino', async (original) => {
  const { default: pino } = await original<typeof import('pino')>()
  return { default: (options: object) => pino(options, { write: (text: string) => void written.push(text) }) }
})

let app: TestApp
let front: AuthFront
let stranger: PublicAddress
let before: Record<string, string | undefined> = {}

beforeAll(async () => {
  // A stack of its own: some tests take its schema away.
  app = await startApp({ LOG_LEVEL: 'info' }, { settings: {} })
  front = await startAuthFront(app.stack.url)
  stranger = await servePublicly(async () => new Response('<h1>Bienvenidos</h1>', { status: 404 }))
  process.env.SUPABASE_URL = front.url
})
afterEach(() => {
  deployWith(before)
  before = {}
  front.replies.clear()
  written.length = 0
})
afterAll(async () => {
  await stranger?.close()
  await front?.close()
  await app?.close()
})

const deploy = (variables: Record<string, string | undefined>) => {
  before = deployWith(variables)
}

/** A page as a visitor with this language gets it. */
async function page(locale: 'es' | 'en', path = '/sign-in') {
  const { proxy } = await import('@/proxy')
  const headers = { 'accept-language': locale, 'x-forwarded-proto': 'https' }
  const response = await proxy(new NextRequest(`http://localhost:3000${path}`, { headers }))
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

async function health() {
  const { GET } = await import('@/app/api/health/route')
  const response = await GET(new Request('http://localhost:3000/api/health'))
  return { status: response.status, body: (await response.json()) as { status: string; error?: string } }
}

/** What every such page keeps to. */
function expectPlain({ status, headers, text }: Awaited<ReturnType<typeof page>>): void {
  expect(status).toBe(503)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).not.toMatch(/ at .*\.ts|node_modules|<script/)
  const { secretKey, publishableKey, secretsKey, cronSecret } = app.stack.keys
  for (const secret of [secretKey, publishableKey, secretsKey, cronSecret]) expect(text).not.toContain(secret)
}

describe('a setting', () => {
  it('that is blank counts as not set, each as .env.example has it', async () => {
    const example = readFileSync('.env.example', 'utf8')
    const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map((match) => match[1] ?? '')
    expect(names.length).toBeGreaterThan(25)
    const kept = ['SUPABASE_URL', 'SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY', 'SECRETS_KEY']
    const blank = names.filter((name) => !kept.includes(name))
    deploy(Object.fromEntries(blank.map((name, index) => [name, index % 2 === 0 ? '' : ' '])))
    const { env } = await import('@/lib/env')
    expect(env()).toMatchObject({
      PMS_SYNC_DAYS_BACK: 7,
      PMS_TIMEOUT_MS: 15_000,
      SMS_PER_SECOND: 10,
      IMPORT_DIR: '',
      LOG_LEVEL: 'info',
      CRON_SECRET: '',
      MESSAGE_SANDBOX: false,
    })
    expect((await health()).status).toBe(200)
    expect((await page('es')).status).toBe(200)
  })

  it.each([
    ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY', 'publishableKey'],
    ['SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY', 'secretKey'],
  ] as const)('%s that is blank leaves the word to %s', async (name, legacy, key) => {
    deploy({ [name]: '', [legacy]: ` ${app.stack.keys[key]}\n` })
    expect((await health()).status).toBe(200)
  })

  const SHORT = 'only-15-letters'
  const WRONG: [setting: string, value: string, spanish: RegExp, english: RegExp][] = [
    ['SUPABASE_URL', '', /no está puesta/, /is not set/],
    ['SUPABASE_URL', 'my-project', /no vale/, /is not valid/],
    ['SUPABASE_URL', 'https://abcd.supabase.example/rest/v1/', /nada detrás/, /nothing behind it/],
    ['SUPABASE_PUBLISHABLE_KEY', '', /clave publicable/, /publishable key/],
    ['SUPABASE_SECRET_KEY', ' ', /clave secreta/, /secret key/],
    ['SECRETS_KEY', '', /openssl rand -base64 32/, /openssl rand -base64 32/],
    ['SECRETS_KEY', 'c2hvcnQta2V5LW9mLW1pbmU=', /32 bytes en base64/, /32 bytes in base64/],
    ['SECRETS_KEY_PREVIOUS', 'c2hvcnQta2V5LW9mLW1pbmU=', /clave anterior/, /former key/],
    ['CRON_SECRET', SHORT, /al menos 16 caracteres/, /at least 16 characters/],
    ['SETUP_TOKEN', SHORT, /al menos 16 caracteres/, /at least 16 characters/],
    ['APP_URL', 'crm.example/inicio', /dirección completa/, /whole address/],
    ['VAPID_PUBLIC_KEY', 'BNcRdreALRFXTkOOUHK1', /no es pareja|No es pareja/, /does not belong/],
    ['VAPID_PRIVATE_KEY', 'AQEBAQEBAQEBAQEBAQEBAQEBAQ', /32 bytes en base64url/, /32 bytes in base64url/],
    ['VAPID_SUBJECT', 'ops-at-crm.example', /mailto:/, /mailto:/],
    ['PMS_TIMEOUT_MS', 'a-quarter-minute', /\.env\.example/, /\.env\.example/],
    ['LOG_LEVEL', 'very-loud', /\.env\.example/, /\.env\.example/],
    ['TRUSTED_PROXIES', 'the-one-in-front', /\.env\.example/, /\.env\.example/],
    ['TWILIO_BASE_URL', 'https://169.254.169.254', /\.env\.example/, /\.env\.example/],
  ]
  it.each(WRONG)(
    '%s of “%s” is named, with what to do, instead of any page',
    async (name, value, spanish, english) => {
      deploy({ [name]: value, SUPABASE_ANON_KEY: undefined, SUPABASE_SERVICE_ROLE_KEY: undefined })
      for (const [locale, words] of [
        ['es', spanish],
        ['en', english],
      ] as const) {
        const shown = await page(locale)
        expectPlain(shown)
        expect(shown.text).toContain(`lang="${locale}"`)
        expect(shown.text).toContain(`<code>${name}</code>`)
        expect(shown.text.match(/<code>/g)).toHaveLength(1)
        expect(shown.text).toMatch(words)
        if (value.trim() !== '') expect(shown.text).not.toContain(value)
        expect(shown.headers.get('x-wrong-settings')).toBe(name)
      }
      const { status, body } = await health()
      expect([status, body]).toEqual([
        503,
        { status: 'unhealthy', error: 'The settings are not valid; the log names them' },
      ])
      const log = written.join('')
      expect(log).toContain(`"setting":"${name}"`)
      if (value.trim() !== '') expect(log).not.toContain(value)
    },
  )

  it('that is wrong is one of several', async () => {
    deploy({ CRON_SECRET: SHORT, SETUP_TOKEN: SHORT })
    const { text } = await page('es', '/customers')
    expect([...text.matchAll(/<code>(\w+)<\/code>/g)].map((match) => match[1])).toEqual([
      'CRON_SECRET',
      'SETUP_TOKEN',
    ])
    expect(text).toContain('2 variables de entorno')
  })
})

describe('an app that cannot use its database', { shuffle: false }, () => {
  interface Case {
    env?: () => Record<string, string>
    break?: () => unknown
    says: [spanish: RegExp, english: RegExp]
    error: string
    fault: string
  }
  const CASES: Record<string, Case> = {
    'a secret key of another project': {
      env: () => ({ SUPABASE_SECRET_KEY: 'sb_secret_of_another_project' }),
      says: [/rechaza la clave SUPABASE_SECRET_KEY/, /refuses the key SUPABASE_SECRET_KEY/],
      error: 'Supabase refuses the key of the app; the log names it',
      fault: 'key_refused',
    },
    'the publishable key in the place of the secret one': {
      env: () => ({ SUPABASE_SECRET_KEY: app.stack.keys.publishableKey }),
      says: [/rechaza la clave SUPABASE_SECRET_KEY/, /refuses the key SUPABASE_SECRET_KEY/],
      error: 'Supabase refuses the key of the app; the log names it',
      fault: 'key_refused',
    },
    'a publishable key of another project': {
      env: () => ({ SUPABASE_PUBLISHABLE_KEY: `sb_publishable_${randomBytes(8).toString('hex')}` }),
      says: [/rechaza la clave SUPABASE_PUBLISHABLE_KEY/, /refuses the key SUPABASE_PUBLISHABLE_KEY/],
      error: 'Supabase refuses the key of the app; the log names it',
      fault: 'key_refused',
    },
    'a database that does not answer': {
      break: () => front.replies.set('/rest/v1/', null),
      says: [/no ha respondido en tres segundos/, /no answer within three seconds/],
      error: 'The database does not answer',
      fault: 'silent',
    },
    'a gateway whose database is down': {
      break: () => front.replies.set('/rest/v1/', { status: 503, body: '{"code":"PGRST000","message":"x"}' }),
      says: [/La base de datos no responde/, /The database does not answer/],
      error: 'The database does not answer',
      fault: 'silent',
    },
    'another site at SUPABASE_URL': {
      env: () => ({ SUPABASE_URL: stranger.url }),
      says: [/no responde un proyecto de Supabase/, /is not a Supabase project/],
      error: 'Something else than Supabase answers at SUPABASE_URL',
      fault: 'foreign',
    },
    'a schema that is older than the app': {
      break: () =>
        app.stack.sql(`create or replace function public.installation_state() returns jsonb language sql as
          $$ select jsonb_build_object('version', '20261120000100', 'now', clock_timestamp()) $$`),
      says: [/faltan migraciones de esta versión/, /lacks migrations of this version/],
      error: 'The schema of the database is older than the app: apply the migrations of this build',
      fault: 'schema_old',
    },
    'a schema whose last migrations were not applied': {
      break: () => without('drop function public.installation_state()'),
      says: [/faltan migraciones de esta versión/, /lacks migrations of this version/],
      error: 'The schema of the database is older than the app: apply the migrations of this build',
      fault: 'schema_old',
    },
    'a database that was never migrated': {
      break: () => without('alter schema public rename to elsewhere; create schema public'),
      says: [
        /no tiene las tablas de Sobremesa.*supabase db push/s,
        /no tables of Sobremesa.*supabase db push/s,
      ],
      error: 'The database has no schema: its migrations were not applied',
      fault: 'schema_missing',
    },
  }

  /** Changes the schema, and waits until PostgREST has noticed. */
  async function without(statement: string): Promise<void> {
    await app.stack.sql(statement)
    await app.stack.sql(`grant usage on schema public to anon, authenticated, service_role`)
    await app.stack.sql(`notify pgrst, 'reload schema'`)
    const apikey = app.stack.keys.secretKey
    await vi.waitUntil(
      async () => {
        const path = statement.startsWith('drop') ? 'rpc/installation_state' : 'organizations'
        return (await fetch(`${app.stack.url}/rest/v1/${path}`, { headers: { apikey } })).status === 404
      },
      { timeout: 30_000, interval: 50 },
    )
  }

  it.each(Object.keys(CASES))('because of %s says so, on a page, to health and in the log', async (name) => {
    const { env = () => ({}), says, error, fault, ...rest } = CASES[name] as Case
    deploy(env())
    await rest.break?.()
    for (const [index, locale] of (['es', 'en'] as const).entries()) {
      const shown = await page(locale, locale === 'es' ? '/sign-in' : '/customers?tag=x')
      expectPlain(shown)
      expect(shown.text).toMatch(says[index] as RegExp)
    }
    // The log has it once, however many pages are asked for.
    expect(written.join('').match(new RegExp(`"fault":"${fault}"`, 'g'))).toHaveLength(1)
    expect(await health()).toEqual({ status: 503, body: { status: 'unhealthy', error } })
  })

  it('shows its pages again when the fault is gone', async () => {
    deploy({})
    front.replies.set('/rest/v1/', null)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      expect((await page('es')).status).toBe(503)
      front.replies.clear()
      expect((await page('es')).status).toBe(503)
      vi.advanceTimersByTime(5_000)
      // The schema is gone by now: another sentence.
      expect((await page('es')).text).toContain('La base de datos está vacía')
    } finally {
      vi.useRealTimers()
    }
  })
})
