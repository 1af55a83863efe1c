import { NextRequest } from 'next/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { socketAddressHeader } from '@/lib/address/proxies'
import { userDb } from '@/lib/db/user'
import { waitForDetachedWork } from '@/lib/http/after'
import { LOCALE_COOKIE } from '@/lib/i18n/locales'
import { proxy } from '@/proxy'
import {
  createGroup,
  type Group,
  inviteWithToken,
  PASSWORD,
  type Person,
  stackClient,
} from '../factories/group'
import { connect, RESEND } from '../factories/integrations'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type Client, pointAppAt, startApp, type TestApp } from '../support/app'
import { type AuthFront, expireSession, type Reply, startAuthFront } from '../support/auth-front'
import { emptyTables } from '../support/empty-tables'
import { watchRequests } from '../support/network'
import { signedIn } from '../support/sign-in'
import { totpCode } from '../support/totp'

const PASSWORD_GRANT = '/auth/v1/token?grant_type=password'
const REFRESH = '/auth/v1/token?grant_type=refresh_token'
const REFUSED = JSON.stringify({
  code: 429,
  error_code: 'over_request_rate_limit',
  msg: 'Request rate limit reached',
})
const limited = (seconds?: number): Reply => ({
  status: 429,
  headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
  body: REFUSED,
})
const HTML = { 'content-type': 'text/html' }

/** What Auth, or what stands before it, answers without a word about the person. */
const SILENT: [string, Reply, string][] = [
  ['its limit, without a time', limited(), 'AUTH_BUSY'],
  ['its limit, with a time', limited(7), 'AUTH_BUSY'],
  [
    'the limit of a front, as a page',
    { status: 429, headers: { ...HTML, 'retry-after': '7' }, body: '<p>' },
    'AUTH_BUSY',
  ],
  ['a failure', { status: 500, body: '{"error_code":"unexpected_failure","msg":"x"}' }, 'AUTH_UNAVAILABLE'],
  ['a failed front', { status: 502, headers: HTML, body: '<p>' }, 'AUTH_UNAVAILABLE'],
  ['an answer without a session', { status: 200, body: '{}' }, 'AUTH_UNAVAILABLE'],
  ['no answer', null, 'AUTH_UNAVAILABLE'],
  ['a wrong API key', { status: 401, body: '{"message":"Invalid API key"}' }, 'AUTH_UNAVAILABLE'],
  ['a blocked address', { status: 403, headers: HTML, body: '<p>' }, 'AUTH_UNAVAILABLE'],
  [
    'a missing captcha',
    { status: 400, body: '{"error_code":"captcha_failed","msg":"x"}' },
    'AUTH_UNAVAILABLE',
  ],
]

let app: TestApp
let front: AuthFront
let group: Group
let person: Person
let resend: FakeResend
beforeAll(async () => {
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  resend.account.sendingOnly = true
  app = await startApp({ RESEND_BASE_URL: resend.url })
  front = await startAuthFront(app.stack.url)
  pointAppAt(front.url, app.stack.keys)
  group = await createGroup(app.stack, 'Grupo Prisa', [{ name: 'Sol', slug: 'sol' }])
})
beforeEach(async () => {
  front.replies.clear()
  await app.stack.sql(emptyTables('attempt_limits', 'messages'))
  person = await group.person('admin')
})
afterAll(async () => {
  await resend?.close()
  await front?.close()
  await app?.close()
})

const signIn = (client = app.client(), password = PASSWORD) =>
  client.request('POST', '/api/auth/sign-in', { body: { email: person.email, password } })
const counted = () =>
  app.stack.sql(
    `select key from public.attempt_limits where key like 'sign-in:%' and greatest(failures, hits) > 0`,
  )
const codeOf = ({ headers }: Response) => headers.get('x-error-code')
const cleared = (response: Response) =>
  response.headers.getSetCookie().filter((line) => /auth-token[^=]*=;|Max-Age=0/i.test(line))

async function expectBusy(response: Response, seconds?: number): Promise<void> {
  expect({ status: response.status, code: codeOf(response) }).toEqual({ status: 503, code: 'AUTH_BUSY' })
  const wait = Number(response.headers.get('retry-after'))
  if (seconds === undefined) expect(wait).toBeGreaterThanOrEqual(1)
  else expect(wait).toBe(seconds)
}

describe('signing in while Auth says nothing about the password', () => {
  it.each(SILENT)('(%s) is no wrong password, and counts for nothing', async (_, reply, code) => {
    front.replies.set(PASSWORD_GRANT, reply)
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn()))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    expect(new Set(answers.map(codeOf))).toEqual(new Set([code]))
    expect(await counted()).toEqual([])
    front.replies.clear()
    expect((await signIn()).status).toBe(200)
  })

  it('tells how long to wait, as Auth does', async () => {
    front.replies.set(PASSWORD_GRANT, limited(7))
    await expectBusy(await signIn(), 7)
    front.replies.set(PASSWORD_GRANT, limited(0))
    await expectBusy(await signIn(), 1)
    front.replies.set(PASSWORD_GRANT, limited())
    await expectBusy(await signIn())
  })
})

describe('an expired token while Auth says nothing about the session', () => {
  let client: Client
  beforeEach(async () => {
    client = await signedIn(person)
    expireSession(client)
  })
  const tickets = () => client.request('GET', '/api/tickets')
  const page = (path: string, headers: Record<string, string> = {}) =>
    proxy(
      new NextRequest(`http://localhost:3000${path}`, {
        headers: { cookie: [...client.cookies].map((pair) => pair.join('=')).join('; '), ...headers },
      }),
    )

  it.each(SILENT)('(%s) is kept, and refreshed at the next request', async (_, reply, code) => {
    front.replies.set(REFRESH, reply)
    const response = await tickets()
    expect({ status: response.status, code: codeOf(response) }).toEqual({ status: 503, code })
    expect(cleared(response)).toEqual([])
    front.replies.clear()
    const later = await tickets()
    expect(later.status).toBe(200)
    expect(later.headers.getSetCookie()).not.toEqual([])
  })

  it.each(SILENT)('(%s) makes a page wait that comes back by itself', async (_, reply, code) => {
    front.replies.set(REFRESH, reply)
    const response = await page('/tickets')
    expect(response.status).toBe(503)
    expect(codeOf(response)).toBe(code)
    expect(cleared(response)).toEqual([])
    expect(Number(response.headers.get('refresh'))).toBeGreaterThanOrEqual(1)
    front.replies.clear()
    const later = await page('/tickets')
    expect(later.headers.get('x-middleware-next')).toBe('1')
  })

  it('says on the page when it tries again, in the language of the person', async () => {
    front.replies.set(REFRESH, limited(7))
    const spanish = await page('/tickets')
    expect(spanish.headers.get('retry-after')).toBe('7')
    expect(await spanish.text()).toContain('vuelve a intentarlo en 7 segundos')
    client.cookies.set(LOCALE_COOKIE, 'en')
    expect(await (await page('/tickets')).text()).toContain('try again in 7 seconds')
  })

  it('opens the pages for visitors, and stays in the browser', async () => {
    front.replies.set(REFRESH, limited(7))
    const response = await page('/sign-in')
    expect(response.headers.get('x-middleware-next')).toBe('1')
    expect(response.headers.get('x-middleware-request-cookie') ?? '').not.toContain('auth-token')
    expect(cleared(response)).toEqual([])
  })

  it('is not taken for a stranger by the database', async () => {
    front.replies.set(REFRESH, limited(7))
    const all = [...client.cookies].map(([name, value]) => ({ name, value }))
    const db = userDb({ getAll: () => all, setAll: () => {} })
    await db.auth.getSession()
    const asked = await db.rpc('my_session')
    expect({ status: asked.status, code: asked.error?.code }).toEqual({
      status: 500,
      code: 'AUTH_UNAVAILABLE',
    })
  })

  it('goes with its sign-out all the same', async () => {
    front.replies.set(REFRESH, limited(7))
    expect((await client.request('POST', '/api/auth/sign-out')).status).toBe(200)
    front.replies.clear()
    expect((await tickets()).status).toBe(401)
  })

  it('ends when Auth says that it is over', async () => {
    const body = JSON.stringify({ code: 400, error_code: 'refresh_token_not_found', msg: 'x' })
    front.replies.set(REFRESH, { status: 400, body })
    const response = await tickets()
    expect(response.status).toBe(401)
    expect(cleared(response)).not.toEqual([])
    expect((await page('/tickets')).headers.get('location')).toContain('/sign-in')
  })
})

describe('a token that has a minute left while Auth is at its limits', () => {
  it('is used on', async () => {
    const client = await signedIn(person)
    expireSession(client, 60)
    front.replies.set(REFRESH, limited(7))
    const response = await client.request('GET', '/api/tickets')
    expect(response.status).toBe(200)
    expect(cleared(response)).toEqual([])
  })
})

describe('a new password while Auth is at its limits', () => {
  const forgot = (email: string) =>
    app.client().request('POST', '/api/auth/forgot-password', { body: { email } })
  const reset = (token_hash: string) => {
    const body = { token_hash, password: `${crypto.randomUUID()}` }
    return app.client().request('POST', '/api/auth/reset-password', { body })
  }
  async function mailed(): Promise<string> {
    expect((await forgot(person.email)).status).toBe(200)
    await waitForDetachedWork()
    const query = 'select recovery_token as token from auth.users where email = $1'
    return String((await app.stack.sql<{ token: string }>(query, [person.email]))[0]?.token)
  }

  it('can be asked for later, with an account or without', async () => {
    front.replies.set('/auth/v1/recover', limited(7))
    for (const email of [person.email, 'nadie@fuera.example']) await expectBusy(await forgot(email), 7)
  })

  it('is asked for with the same answer when the mail alone is refused: only accounts get one', async () => {
    const body = JSON.stringify({
      code: 429,
      error_code: 'over_email_send_rate_limit',
      msg: 'after 40 seconds',
    })
    front.replies.set('/auth/v1/recover', { status: 429, body })
    expect((await forgot(person.email)).status).toBe(200)
    await waitForDetachedWork()
  })

  it.skipIf(process.env.STACK !== 'postgres')(
    'can be asked for later where the group’s own provider mails the link, which then leaves at once',
    async () => {
      await connect(app.stack, group.id, 'resend', RESEND)
      try {
        front.replies.set('/auth/v1/admin/generate_link', limited(7))
        for (const email of [person.email, 'nadie@fuera.example']) await expectBusy(await forgot(email), 7)
        front.replies.clear()
        expect((await forgot(person.email)).status).toBe(200)
        await waitForDetachedWork()
        expect(resend.accepted.map(({ email }) => email.to)).toEqual([person.email])
      } finally {
        await connect(app.stack, group.id, 'resend', RESEND, false)
      }
    },
  )

  it('is asked of Auth’s own mailer, which is set up, while the group’s provider does not work', async () => {
    await connect(app.stack, group.id, 'resend', { ...RESEND, api_key: 're_wrong' })
    try {
      front.replies.set('/auth/v1/recover', limited(7))
      await expectBusy(await forgot(person.email), 7)
    } finally {
      await connect(app.stack, group.id, 'resend', RESEND, false)
    }
  })

  it('keeps the link for later', async () => {
    const token = await mailed()
    front.replies.set('/auth/v1/verify', limited(7))
    await expectBusy(await reset(token), 7)
    front.replies.clear()
    expect((await reset(token)).status).toBe(200)
  })

  it('is changed later, and the current one counts for nothing', async () => {
    const client = await signedIn(person)
    const change = (current_password: string) =>
      client.request('POST', '/api/auth/password', {
        body: { current_password, password: crypto.randomUUID() },
      })
    for (const path of [PASSWORD_GRANT, '/auth/v1/user']) {
      front.replies.set(path, limited(7))
      await expectBusy(await change(PASSWORD), 7)
      front.replies.clear()
    }
    expect(await counted()).toEqual([])
    expect((await change(PASSWORD)).status).toBe(200)
  })
})

describe('joining while Auth is at its limits', () => {
  async function invite(email: string): Promise<string> {
    const row = { organization_id: group.id, email, role: 'operaciones' as const }
    return (await inviteWithToken(stackClient(app.stack, 'service'), row)).data.invitation_token
  }
  const join = (body: object) => app.client().request('POST', '/api/auth/sign-up', { body })

  it('makes the account, which signs in later', async () => {
    const [email, password] = ['prisa@equipo.example', crypto.randomUUID()]
    front.replies.set(PASSWORD_GRANT, limited(7))
    const joined = await join({ email, password, token: await invite(email) })
    expect({ status: joined.status, body: await joined.json() }).toEqual({
      status: 202,
      body: { success: true, confirm: true },
    })
    front.replies.clear()
    const body = { email, password }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body })).status).toBe(200)
  })

  it('is not refused to someone with an account, who sends the form again', async () => {
    const boss = await signedIn(await group.person('super_admin'))
    const first = { email: 'vuelve@equipo.example', password: crypto.randomUUID() }
    const made = await join({ ...first, token: await invite(first.email) })
    const { id } = (await made.json()).user
    expect((await boss.request('DELETE', `/api/team/${id}`)).status).toBe(204)
    const token = await invite(first.email)
    front.replies.set(PASSWORD_GRANT, limited(7))
    await expectBusy(await join({ ...first, token }), 7)
    front.replies.clear()
    expect((await join({ ...first, token })).status).toBe(201)
  })
})

describe('the calls to Auth for someone', () => {
  /** What Auth and the database are told of a sign-in's address. */
  async function told(headers: Record<string, string>) {
    const calls: Request[] = []
    const stop = watchRequests((request) => void calls.push(request))
    try {
      const body = { email: person.email, password: PASSWORD }
      expect((await app.client().request('POST', '/api/auth/sign-in', { body, headers })).status).toBe(200)
    } finally {
      stop()
    }
    const to = (path: string) => calls.filter(({ url }) => url.includes(path))
    const named = (requests: Request[]) =>
      new Set(requests.map((each) => each.headers.get('sb-forwarded-for')))
    const keys = new Set(to(PASSWORD_GRANT).map((each) => each.headers.get('apikey')))
    return { auth: named(to('/auth/v1/')), database: named(to('/rest/v1/')), keys }
  }
  const CLAIMED = {
    'sb-forwarded-for': '192.0.2.1',
    'x-forwarded-for': '192.0.2.1',
    forwarded: 'for=192.0.2.1',
  }

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ])('name the address of %s, whatever it claims, and the database hears of none', async (from, network) => {
    const { auth, database, keys } = await told({ ...CLAIMED, [socketAddressHeader()]: from })
    expect(auth).toEqual(new Set([network]))
    expect(database).toEqual(new Set([null]))
    expect(keys).toEqual(new Set([app.stack.keys.secretKey]))
  })

  it('name none when it is not known', async () => {
    const { auth, keys } = await told(CLAIMED)
    expect(auth).toEqual(new Set([null]))
    expect(keys).toEqual(new Set([app.stack.keys.publishableKey]))
  })
})

it('a program is told to come back while Auth is at its limits', async () => {
  const boss = await signedIn(await group.person('super_admin'))
  const body = {
    name: 'Web',
    permissions: ['canAccessOperaciones', 'canAccessClientes'],
    expires_in_days: 30,
  }
  const made = await boss.request('POST', '/api/tokens', { body })
  const { data } = await made.json()
  const headers = { authorization: `Bearer ${data.token}` }
  const ask = () => app.client().request('GET', '/api/customers', { headers })
  front.replies.set(PASSWORD_GRANT, limited(7))
  await expectBusy(await ask(), 7)
  front.replies.clear()
  expect((await ask()).status).toBe(200)
})

// The embedded stack's Auth has no second factors.
describe.skipIf(process.env.STACK !== 'postgres')('the second factor while Auth is at its limits', () => {
  it('takes the same code later, and counts nothing', async () => {
    const client = await signedIn(person)
    const started = await (await client.request('POST', '/api/account/second-factor')).json()
    const { factor_id, secret } = started.data
    const code = () => totpCode(secret, new Date())
    const confirm = () =>
      client.request('POST', '/api/account/second-factor/confirm', { body: { factor_id, code: code() } })
    front.replies.set(`/auth/v1/factors/${factor_id}/`, limited(7))
    await expectBusy(await confirm(), 7)
    front.replies.clear()
    expect((await confirm()).status).toBe(200)
    await app.stack.sql('delete from private.used_codes')

    const half = app.client()
    expect((await signIn(half)).status).toBe(202)
    const give = () => half.request('POST', '/api/auth/second-factor', { body: { code: code() } })
    for (const path of ['/auth/v1/user', `/auth/v1/factors/${factor_id}/verify`]) {
      front.replies.set(path, limited(7))
      await expectBusy(await give(), 7)
      front.replies.clear()
    }
    front.replies.set('/auth/v1/factors/', null)
    expect(codeOf(await give())).toBe('AUTH_UNAVAILABLE')
    front.replies.clear()
    expect(await counted()).toEqual([])
    expect((await give()).status).toBe(200)
  })

  it('does not cost the link of a forgotten password', async () => {
    front.replies.set('/auth/v1/user', limited(7))
    const forgotten = { body: { email: person.email } }
    await app.client().request('POST', '/api/auth/forgot-password', forgotten)
    await waitForDetachedWork()
    const query = 'select recovery_token as token from auth.users where email = $1'
    const [user] = await app.stack.sql<{ token: string }>(query, [person.email])
    const password = crypto.randomUUID()
    const body = { token_hash: user?.token, password }
    expect((await app.client().request('POST', '/api/auth/reset-password', { body })).status).toBe(200)
    expect((await signIn(undefined, password)).status).toBe(200)
  })
})
