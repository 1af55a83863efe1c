import { execFile } from 'node:child_process'
import { NextRequest } from 'next/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkFromOutside } from '../../scripts/deployment/outside'
import { createGroup, type Group } from '../factories/group'
import { connect, RESEND } from '../factories/integrations'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { startApp, type TestApp } from '../support/app'
import { type AuthFront, startAuthFront } from '../support/auth-front'
import { deployWith, type PublicAddress, servePublicly } from '../support/deployment'
import { lineInWords } from '../support/installation-words'

// `npm run check:deployment`, as a program of its own, against the app at an address on loopback.
let app: TestApp
let front: AuthFront
let group: Group
let resend: FakeResend
let deployment: PublicAddress
let before: Record<string, string | undefined> = {}

/** The app as Next would serve it: its handlers, else a page, with the headers of next.config.ts. */
async function served(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const response = await route(pathname, request)
  const headers = new Headers(response.headers)
  headers.set('x-content-type-options', 'nosniff')
  return new Response(response.body, { status: response.status, headers })
}

async function route(pathname: string, request: Request): Promise<Response> {
  if (pathname === '/api/health') return (await import('@/app/api/health/route')).GET(request)
  if (pathname === '/api/installation') return (await import('@/app/api/installation/route')).GET(request)
  const { proxy } = await import('@/proxy')
  return proxy(new NextRequest(request.url, { headers: request.headers }))
}

const RIGHT_AUTH = { disable_signup: true, mailer_autoconfirm: false, external: { email: true } }

describe.runIf(process.env.STACK === 'postgres')('npm run check:deployment', { shuffle: false }, () => {
  beforeAll(async () => {
    resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
    resend.account.domains = [{ name: 'grupo.example', status: 'verified' }]
    deployment = await servePublicly(served)
    const variables = { RESEND_BASE_URL: resend.url, APP_URL: deployment.url }
    app = await startApp({ ...variables, MESSAGE_SANDBOX: '0', LOG_LEVEL: 'silent' })
    front = await startAuthFront(app.stack.url)
    process.env.SUPABASE_URL = front.url
    group = await createGroup(app.stack, 'Grupo Despliegue', [{ name: 'Norte', slug: 'norte' }])
    await connect(app.stack, group.id, 'resend', RESEND)
    await app.stack.sql(
      `insert into public.job_runs (organization_id, job, status) values ($1, 'automations', 'succeeded')`,
      [group.id],
    )
  })
  beforeEach(() => {
    // The way to the database takes no time, whatever else this machine does.
    vi.useFakeTimers({ toFake: ['performance'] })
    front.replies.set('/auth/v1/settings', { status: 200, body: JSON.stringify(RIGHT_AUTH) })
  })
  afterEach(() => {
    vi.useRealTimers()
    front.replies.clear()
    deployWith(before)
    before = {}
  })
  afterAll(async () => {
    await Promise.all([resend, deployment, front].map((each) => each?.close()))
    await app?.close()
  })

  interface Ended {
    code: number
    printed: string
  }

  const check = (address: string, environment: Record<string, string> = {}) =>
    new Promise<Ended>((resolve) => {
      const args = ['--import', 'tsx', 'scripts/check-deployment.ts', address]
      const env = {
        PATH: process.env.PATH ?? '',
        LANG: 'C',
        CRON_SECRET: app.cronSecret,
        NODE_ENV: 'test' as const,
        ...environment,
      }
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed: stdout + stderr }),
      )
    })
  const secrets = () => {
    const { secretKey, publishableKey, cronSecret, secretsKey } = app.stack.keys
    return [secretKey, publishableKey, cronSecret, secretsKey, RESEND.api_key, RESEND.webhook_secret]
  }

  it('finds a right deployment right, and ends with 0', async () => {
    const { code, printed } = await check(`${deployment.url}/`)
    expect(printed).toContain('There is nothing to correct; 2 could not be checked.')
    expect(printed).toContain(`[Right] Access from outside: The app answers at ${deployment.url} and runs.`)
    expect(printed).toContain('[Not checked] Webhook of Resend')
    expect(printed).not.toContain('[Wrong]')
    expect(code).toBe(0)
    for (const secret of secrets()) expect(printed).not.toContain(secret)
  })

  it('says what is wrong and what to do in the language of the terminal, and ends with 1', async () => {
    await app.stack.sql(`update public.job_runs set started_at = now() - interval '2 hours'`)
    const { code, printed } = await check(deployment.url, { LANG: 'es_ES.UTF-8' })
    expect(printed).toMatch(
      /\[Mal\] Programador: El programador no llama desde hace 120 minutos.*\n {4}→ Mira en Vercel/,
    )
    expect(printed).toContain('1 cosa que corregir')
    expect(code).toBe(1)
    await app.stack.sql('update public.job_runs set started_at = now()')
  })

  it('names the settings of an app that does not start', async () => {
    before = deployWith({ SETUP_TOKEN: 'too-short', SECRETS_KEY: 'not-a-key-of-mine' })
    const { code, printed } = await check(deployment.url)
    expect(printed).toContain('The app does not start: missing or not valid is SETUP_TOKEN, SECRETS_KEY.')
    expect(printed).not.toMatch(/too-short|not-a-key-of-mine/)
    expect(code).toBe(1)
  })

  it('says why an app is unhealthy', async () => {
    before = deployWith({ SUPABASE_SECRET_KEY: 'sb_secret_of_another_project' })
    const { code, printed } = await check(deployment.url)
    expect(printed).toContain('Access from outside: Supabase does not accept the key SUPABASE_SECRET_KEY')
    expect(printed).toContain('Supabase does not accept the key SUPABASE_SECRET_KEY')
    expect(code).toBe(1)
  })

  it('needs the deployment’s CRON_SECRET for the report', async () => {
    const { printed } = await check(deployment.url, { CRON_SECRET: 'that-of-another-deployment' })
    expect(printed).toContain('The app does not accept the CRON_SECRET of this computer.')
    const without = await check(deployment.url, { CRON_SECRET: '' })
    expect(without.printed).toContain('This computer has no CRON_SECRET')
    expect(without.code).toBe(0)
  })

  it('wants an address', async () => {
    expect((await check('crm')).code).toBe(2)
  })

  describe('from outside', () => {
    const found = async (options: Partial<Parameters<typeof checkFromOutside>[0]> = {}) => {
      const lines = await checkFromOutside({ url: deployment.url, cronSecret: app.cronSecret, ...options })
      const [line] = lines.filter(({ state }) => state === 'wrong')
      return line && [lineInWords(line, 'es').found, lineInWords(line, 'en').found]
    }

    it('an address without encryption is not asked', async () => {
      expect(await found({ url: 'http://crm.example' })).toEqual([
        expect.stringContaining('http://crm.example no empieza por https://'),
        expect.stringContaining('http://crm.example does not begin with https://'),
      ])
    })

    it('an address where nothing answers is named', async () => {
      expect(await found({ url: 'http://127.0.0.1:1' })).toEqual([
        'No responde nadie en http://127.0.0.1:1.',
        'Nothing answers at http://127.0.0.1:1.',
      ])
    })

    it('a clock that differs is named, with the seconds', async () => {
      const ahead = () => new Date(Date.now() + 600_000)
      expect(await found({ now: ahead })).toEqual([
        expect.stringMatching(/el de este ordenador se llevan (59\d|60\d) segundos/),
        expect.stringMatching(/of this computer differ by (59\d|60\d) seconds/),
      ])
    })

    it('links that lead elsewhere are named', async () => {
      before = deployWith({ APP_URL: 'https://former.example' })
      expect(await found()).toEqual([
        'Los enlaces de los mensajes llevan a https://former.example, que no es la dirección que se está comprobando.',
        'The links in messages lead to https://former.example, which is not the address that is being checked.',
      ])
    })

    it('another site is no Sobremesa and gets no secret, and headers that a proxy dropped are named', async () => {
      const asked: [path: string, authorization: string | null][] = []
      const site = await servePublicly(async ({ url, headers }) => {
        asked.push([new URL(url).pathname, headers.get('authorization')])
        return new Response('<h1>Hola</h1>')
      })
      try {
        const lines = await checkFromOutside({ url: site.url, cronSecret: app.cronSecret })
        const words = lines
          .filter(({ state }) => state === 'wrong')
          .map((line) => lineInWords(line, 'en').found)
        expect(words).toEqual([
          'Security headers are missing: content-security-policy, x-content-type-options.',
          'No version of Sobremesa that gives a report answers at this address (answer 200).',
        ])
        expect(asked).toEqual([
          ['/api/health', null],
          ['/sign-in', null],
        ])
      } finally {
        await site.close()
      }
    })
  })

  it('is answered to nobody without the secret, and on the page to super_admins alone', async () => {
    const { GET } = await import('@/app/api/installation/route')
    const ask = (headers: Record<string, string>) =>
      GET(new Request('http://localhost:3000/api/installation', { headers })).then(({ status }) => status)
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401)
    const { installationOf } = await import('@/lib/deployment/report')
    const { organization } = group
    for (const role of ['admin', 'ceo', 'sala'] as const)
      await expect(installationOf({ role, organization })).rejects.toMatchObject({ status: 403 })
    const { lines } = await installationOf({ role: 'super_admin', organization })
    expect(lines.find(({ id }) => id === 'mailer')?.finding).toBe('provider_works')
  })

  it('tells super_admins of their own group however many there are', async () => {
    await app.stack.sql(`insert into public.organizations (name, slug, created_at)
      select 'Grupo ' || n, 'earlier-' || n, now() - interval '1 day' from generate_series(1, 20) n`)
    const { installationOf } = await import('@/lib/deployment/report')
    const { organization } = group
    const { lines } = await installationOf({ role: 'super_admin', organization })
    expect(lines.filter(({ id }) => id === 'mailer')).toEqual([
      { id: 'mailer', state: 'right', finding: 'provider_works' },
    ])
  })
})
