import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  CHOSEN,
  createGroup,
  type Group,
  inviteWithToken,
  PASSWORD,
  type Person,
  stackClient,
} from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { watchRequests } from '../support/network'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'
import { totpCode } from '../support/totp'

const ACCOUNT = '/api/account/second-factor'
const GIVE = '/api/auth/second-factor'
const STEP_MS = 30_000
const UNCONFIRMED = {
  status: 403,
  body: expect.objectContaining({ code: 'SECOND_FACTOR_NEEDED', confirm: 'second_factor' }),
}
const WRONG = refusal('WRONG_CODE')

let app: TestApp
let group: Group

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Llave', [{ name: 'Sol', slug: 'sol' }])
})
afterAll(() => app?.close())

/** The code of now, or of so many half-minutes later or earlier. */
const codeOf = (secret: string, steps = 0) => totpCode(secret, new Date(Date.now() + steps * STEP_MS))

/** Six digits that are none of the codes Auth takes now. */
function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? ''
  )
}

/** The app remembers the codes it has seen; a test need not wait for the next. */
const forgetCodes = () => app.stack.sql('delete from private.used_codes')

interface Enrolled {
  client: Client
  secret: string
  recoveryCodes: string[]
}

async function enrol(client: Client): Promise<Omit<Enrolled, 'client'>> {
  const started = await answer(await client.request('POST', ACCOUNT))
  expect(started.status).toBe(201)
  const { factor_id, secret } = started.body.data
  const body = { factor_id, code: codeOf(secret) }
  const confirmed = await answer(await client.request('POST', `${ACCOUNT}/confirm`, { body }))
  expect(confirmed.status).toBe(200)
  await forgetCodes()
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes }
}

async function enrolled(person: Person): Promise<Enrolled> {
  const client = await signedIn(person)
  return { client, ...(await enrol(client)) }
}

const signIn = (client: Client, { email }: Person, password = PASSWORD) =>
  client.request('POST', '/api/auth/sign-in', { body: { email, password } })
const give = async (client: Client, body: object) => answer(await client.request('POST', GIVE, { body }))
const statusOf = async (client: Client, path = '/api/tickets') => (await client.request('GET', path)).status

/** A session that has shown its password only. */
async function halfSignedIn(person: Person): Promise<Client> {
  const client = app.client()
  expect(await answer(await signIn(client, person))).toEqual({
    status: 202,
    body: { success: true, second_factor: 'code' },
  })
  return client
}

/** The access token that a client of the app holds in its cookies. */
async function tokenOf(client: Client): Promise<string> {
  let header = ''
  const stop = watchRequests((request) => {
    if (request.url.includes('my_session')) header = request.headers.get('authorization') ?? header
  })
  try {
    await client.request('GET', '/api/organization/context')
  } finally {
    stop()
  }
  return header.replace('Bearer ', '')
}

/** Lets the client's token run out, so that the app gets it another from Auth. */
async function refreshed(client: Client): Promise<Client> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  try {
    await client.request('GET', '/api/organization/context')
  } finally {
    vi.useRealTimers()
  }
  return client
}

/** Asks the database API with a token, without the app. */
async function askDatabase(token: string, path: string, body?: object) {
  const headers = {
    apikey: app.stack.keys.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(`${app.stack.url}/rest/v1/${path}`, { headers, ...init })
  return response.json()
}

/** Eleven minutes go by since the last code: Auth keeps when it was, and puts it into the next tokens. */
async function elevenMinutesPass({ id }: Person): Promise<void> {
  await app.stack.sql(
    `update auth.mfa_amr_claims a set updated_at = a.updated_at - interval '11 minutes'
     from auth.sessions s where s.id = a.session_id and s.user_id = $1`,
    [id],
  )
}

describe.runIf(process.env.STACK !== 'postgres')('where Auth has no second factor (embedded)', () => {
  it('the account says so, and setting one up too', async () => {
    const client = await signedIn(await group.person('admin'))
    expect(await answer(await client.request('GET', ACCOUNT))).toEqual({
      status: 200,
      body: { data: { available: false, enrolled: false, required: false, confirmed: true } },
    })
    expect((await client.request('POST', ACCOUNT)).status).toBe(501)
  })

  it('a code or a recovery code is for no one', async () => {
    const client = await signedIn(await group.person('admin'))
    expect((await give(client, { code: '123456' })).status).toBe(409)
    expect((await give(client, { recovery_code: 'ABCD-EFGH-IJKL-MNOP' })).status).toBe(501)
  })

  it('an organization cannot require it', async () => {
    const client = await signedIn(await group.person('super_admin'))
    const body = { require_second_factor: true }
    expect((await client.request('PATCH', '/api/organization', { body })).status).toBe(409)
  })
})

describe.runIf(process.env.STACK === 'postgres')('a second factor', () => {
  let person: Person
  let own: Enrolled
  beforeEach(async () => {
    await app.stack.sql('delete from public.attempt_limits')
    person = await group.person('admin')
    own = await enrolled(person)
  })

  it('is offered with a picture the page may show and ten recovery codes, kept as hashes', async () => {
    const other = await group.person('marketing')
    const client = await signedIn(other)
    expect((await answer(await client.request('GET', ACCOUNT))).body.data).toEqual({
      available: true,
      enrolled: false,
      required: false,
      confirmed: true,
    })
    const started = await answer(await client.request('POST', ACCOUNT))
    expect(started.body.data.qr).toMatch(/^data:image\/svg\+xml;base64,/)
    const svg = Buffer.from(started.body.data.qr.split(',')[1], 'base64').toString()
    expect(svg).toMatch(/^(<\?xml.*?\?>\s*)?(<!--.*?-->\s*)?<svg|<svg/s)
    const again = await enrol(client)
    expect(new Set(again.recoveryCodes).size).toBe(10)
    for (const code of again.recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){6}[A-Z2-7]{4}$/)
    const kept = await app.stack.sql<{ code_hash: string }>(
      'select code_hash from private.recovery_codes where user_id = $1',
      [other.id],
    )
    const hashed = again.recoveryCodes.map((code) =>
      createHash('sha256').update(code.replaceAll('-', '')).digest('hex'),
    )
    expect(kept.map(({ code_hash }) => code_hash).sort()).toEqual(hashed.sort())
    expect((await client.request('POST', ACCOUNT)).status).toBe(409)
    expect((await answer(await client.request('GET', ACCOUNT))).body.data).toEqual({
      available: true,
      enrolled: true,
      required: false,
      confirmed: true,
    })
  })

  it('can be started twice at once, and is set up with either', async () => {
    const client = await signedIn(await group.person('marketing'))
    const started = await Promise.all(
      [1, 2, 3].map(async () => answer(await client.request('POST', ACCOUNT))),
    )
    expect(started.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await enrol(client)).toMatchObject({ recoveryCodes: { length: 10 } })
  })

  it('is asked for after the password, which alone opens nothing', async () => {
    const client = await halfSignedIn(person)
    expect(await statusOf(client)).toBe(401)
    expect(await statusOf(client, ACCOUNT)).toBe(401)
    expect((await client.request('POST', ACCOUNT)).status).toBe(401)
    const { data } = await stackClient(app.stack, 'anon').auth.signInWithPassword({
      email: person.email,
      password: PASSWORD,
    })
    const token = data.session?.access_token ?? ''
    expect(await askDatabase(token, 'locations?select=name')).toEqual([])
    expect(await askDatabase(token, 'rpc/my_session', {})).toEqual({
      user_id: person.id,
      email: person.email,
      missing_step: 'code',
    })
    expect(await give(client, { code: codeOf(own.secret) })).toEqual({
      status: 200,
      body: { success: true, second_factor: 'verified' },
    })
    expect(await statusOf(client)).toBe(200)
  })

  it('refuses a wrong code, and one from three minutes ago or ahead', async () => {
    const client = await halfSignedIn(person)
    for (const code of [wrongCode(own.secret), codeOf(own.secret, -6), codeOf(own.secret, 6)])
      expect(await give(client, { code })).toEqual(WRONG)
    expect(await statusOf(client)).toBe(401)
  })

  it('counts wrong codes like wrong passwords; the right password in between does not reset the count', async () => {
    const wrong = wrongCode(own.secret)
    let client = await halfSignedIn(person)
    for (let tries = 0; tries < 10; tries++) {
      if (tries % 4 === 3) client = await halfSignedIn(person)
      expect(await give(client, { code: wrong })).toEqual(WRONG)
    }
    expect((await give(client, { code: codeOf(own.secret) })).status).toBe(429)
    // What the lock grows by; forgotten at a whole sign-in only.
    const counted = await app.stack.sql('select max(failures) as failures from public.attempt_limits')
    expect(counted).toEqual([{ failures: 10 }])
    expect((await signIn(app.client(), person)).status).toBe(429)
  })

  it('accepts a code once, although Auth would accept it again', async () => {
    const code = codeOf(own.secret)
    expect((await give(await halfSignedIn(person), { code })).status).toBe(200)
    expect(await give(await halfSignedIn(person), { code })).toEqual(WRONG)

    const { auth } = stackClient(app.stack, 'anon')
    await auth.signInWithPassword({ email: person.email, password: PASSWORD })
    const { data } = await auth.mfa.listFactors()
    const factorId = data?.totp[0]?.id ?? ''
    expect((await auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()
  })

  it('accepts only one of two simultaneous uses of a code', async () => {
    const clients = [await halfSignedIn(person), await halfSignedIn(person)]
    const code = codeOf(own.secret)
    const answers = await Promise.all(clients.map((client) => give(client, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('ends the sessions in which no code was given', async () => {
    const other = await group.person('rrhh')
    const before = await signedIn(other)
    expect(await statusOf(before, '/api/organization')).toBe(200)
    await enrolled(other)
    expect(await statusOf(before, '/api/organization')).toBe(401)
  })

  it('is removed with a code of it only', async () => {
    const wrong = { body: { code: wrongCode(own.secret) } }
    expect((await own.client.request('DELETE', ACCOUNT, wrong)).status).toBe(401)
    const body = { code: codeOf(own.secret) }
    expect((await own.client.request('DELETE', ACCOUNT, { body })).status).toBe(204)
    expect((await signIn(app.client(), person)).status).toBe(200)
    expect(await statusOf(own.client)).toBe(200)
    expect(
      await app.stack.sql('select 1 from private.recovery_codes where user_id = $1', [person.id]),
    ).toEqual([])
  })

  it('stays when a mailed link sets a new password', async () => {
    const { data } = await stackClient(app.stack, 'service').auth.admin.generateLink({
      type: 'recovery',
      email: person.email,
    })
    const body = { token_hash: data.properties?.hashed_token, password: CHOSEN }
    expect((await app.client().request('POST', '/api/auth/reset-password', { body })).status).toBe(200)
    const client = app.client()
    expect((await signIn(client, person, CHOSEN)).status).toBe(202)
    expect((await give(client, { code: codeOf(own.secret) })).status).toBe(200)
  })

  describe('a recovery code', () => {
    it('removes the factor, ends the other sessions, is reported by mail, and works only once', async () => {
      const [code = '', second = ''] = own.recoveryCodes
      const client = await halfSignedIn(person)
      expect(await statusOf(own.client)).toBe(200)
      expect(await give(client, { recovery_code: code.toLowerCase().replaceAll('-', ' ') })).toEqual({
        status: 200,
        body: { success: true, second_factor: 'removed' },
      })
      expect(await statusOf(client)).toBe(200)
      expect(await statusOf(own.client)).toBe(401)
      const mails = await app.stack.sql<{ template: string }>(
        `select content ->> 'template' as template from public.messages where recipient = $1`,
        [person.email],
      )
      expect(mails).toEqual([{ template: 'second_factor_removed' }])

      await enrol(client)
      for (const used of [code, second])
        expect(await give(await halfSignedIn(person), { recovery_code: used })).toEqual(WRONG)
    })

    it('is claimed by one of two at once, and again when Auth refused it', async () => {
      const [kept] = await app.stack.sql<{ hash: string }>(
        'select code_hash as hash from private.recovery_codes where user_id = $1 limit 1',
        [person.id],
      )
      const service = stackClient(app.stack, 'service')
      const named = { p_user: person.id, p_hash: kept?.hash ?? '' }
      const claim = async () => (await service.rpc('claim_recovery_code', named).throwOnError()).data
      expect((await Promise.all([claim(), claim()])).sort()).toEqual([false, true])
      await service.rpc('release_code', named).throwOnError()
      expect(await claim()).toBe(true)
    })

    it('works for its owner only, and wrong ones count like wrong passwords', async () => {
      const other = await enrolled(await group.person('admin'))
      const client = await halfSignedIn(person)
      for (const recovery_code of other.recoveryCodes)
        expect(await give(client, { recovery_code })).toEqual(WRONG)
      expect((await give(client, { recovery_code: own.recoveryCodes[0] })).status).toBe(429)
    })

    it('needs the password', async () => {
      const given = await give(app.client(), { recovery_code: own.recoveryCodes[0] })
      expect(given).toEqual(refusal('UNAUTHORIZED'))
    })
  })

  describe('is asked for again before a sensitive operation, after ten minutes', () => {
    let customer: string
    let colleague: Person
    beforeEach(async () => {
      await app.stack.sql('delete from public.rate_limits')
      const [row] = await app.stack.sql<{ id: string }>(
        `insert into public.customers (organization_id, first_name) values ($1, 'Ana') returning id`,
        [group.id],
      )
      customer = row?.id ?? ''
      colleague = await group.person('marketing')
    })

    const requests: [string, () => [string, string, object?]][] = [
      ['the list of customers', () => ['GET', '/api/customers/export']],
      ['the list of reservations', () => ['GET', '/api/reservations/export']],
      ['the export of a guest', () => ['GET', `/api/customers/${customer}/export`]],
      ['an erasure', () => ['DELETE', `/api/customers/${customer}`]],
      [
        'an integration',
        () => [
          'PUT',
          '/api/integrations/ai',
          { is_enabled: false, config: { base_url: 'https://ai.example' } },
        ],
      ],
      ['a role', () => ['PATCH', `/api/team/${colleague.id}`, { role: 'ceo' }]],
      ['a link to a new password', () => ['POST', `/api/team/${colleague.id}/password-link`]],
      ['a removal', () => ['DELETE', `/api/team/${colleague.id}`]],
      ['an invitation', () => ['POST', '/api/team/invitations', { email: 'alta@x.example', role: 'admin' }]],
    ]

    /** The session goes on with tokens of now: its last code is eleven minutes old. */
    async function lateClient(): Promise<Client> {
      const client = await halfSignedIn(person)
      await give(client, { code: codeOf(own.secret) })
      await forgetCodes()
      await elevenMinutesPass(person)
      return refreshed(client)
    }

    it.each(requests)('%s', async (_, requestOf) => {
      const client = await lateClient()
      const [method, path, body] = requestOf()
      const send = () => client.request(method, path, body ? { body } : {})
      expect(await answer(await send())).toEqual(UNCONFIRMED)
      expect(await statusOf(client)).toBe(200)
      expect((await give(client, { code: codeOf(own.secret, 1) })).status).toBe(200)
      expect((await send()).status).toBeLessThan(300)
    })

    it('by the database API, too', async () => {
      const token = await tokenOf(await lateClient())
      const refused = { code: 'SF001' }
      expect(await askDatabase(token, 'rpc/export_customer', { p_id: customer })).toMatchObject(refused)
      expect(await askDatabase(token, 'rpc/erase_customer', { p_id: customer })).toMatchObject(refused)
      expect(await askDatabase(token, 'rpc/log_customers_export', { p_filters: {} })).toMatchObject(refused)
      const member = { p_member: colleague.id }
      expect(await askDatabase(token, 'rpc/remove_member', member)).toMatchObject(refused)
      expect(await askDatabase(token, 'rpc/hand_over_link', member)).toMatchObject(refused)
      const changes = { ...member, p_changes: { role: 'ceo' } }
      expect(await askDatabase(token, 'rpc/change_member', changes)).toMatchObject(refused)
      expect(await askDatabase(token, 'locations?select=name')).toEqual([{ name: 'Sol' }])
    })

    it('is not asked of people who have none', async () => {
      const client = await signedIn(await group.person('admin'))
      expect((await client.request('GET', `/api/customers/${customer}/export`)).status).toBe(200)
      expect((await client.request('DELETE', `/api/team/${colleague.id}`)).status).toBe(204)
    })
  })

  describe('an organization that requires it', () => {
    let strict: Group
    let boss: Person
    beforeEach(async () => {
      strict = await createGroup(app.stack, 'Grupo Estricto', [{ name: 'Retiro', slug: 'retiro' }])
      boss = await strict.person('super_admin')
    })
    const require = (client: Client, require_second_factor = true) =>
      client.request('PATCH', '/api/organization', { body: { require_second_factor } })

    it('can be set by a super_admin who has a factor, and by no one else', async () => {
      const client = await signedIn(boss)
      expect((await require(client)).status).toBe(409)
      const admin = await enrolled(await strict.person('admin'))
      expect((await require(admin.client)).status).toBe(403)
      await enrol(client)
      expect((await require(client)).status).toBe(200)
      expect((await require(admin.client, false)).status).toBe(403)
    })

    it('lets a super_admin or admin without a factor do nothing but set one up, in the app and in the database', async () => {
      const admin = await strict.person('admin')
      const marketing = await strict.person('marketing')
      const clients = { admin: await signedIn(admin), marketing: await signedIn(marketing) }
      const { client } = await enrolled(boss)
      expect((await require(client)).status).toBe(200)

      expect(await statusOf(clients.admin)).toBe(401)
      expect(await statusOf(clients.marketing)).toBe(200)
      const { data } = await admin.db.auth.getSession()
      const token = data.session?.access_token ?? ''
      expect(await askDatabase(token, 'locations?select=name')).toEqual([])
      expect(await askDatabase(token, 'rpc/list_team', {})).toEqual([])

      const half = app.client()
      expect(await answer(await signIn(half, admin))).toEqual({
        status: 202,
        body: { success: true, second_factor: 'enrol' },
      })
      expect(await statusOf(half)).toBe(401)
      expect((await answer(await half.request('GET', ACCOUNT))).body.data).toMatchObject({
        enrolled: false,
        required: true,
      })
      await enrol(half)
      expect(await statusOf(half)).toBe(200)
    })

    it('makes someone who joins as an admin set one up at once', async () => {
      const { client } = await enrolled(boss)
      expect((await require(client)).status).toBe(200)
      const email = 'nueva@estricto.example'
      const row = { organization_id: strict.id, email, role: 'admin' as const }
      const { data } = await inviteWithToken(stackClient(app.stack, 'service'), row)
      const joining = app.client()
      const body = { email, password: CHOSEN, token: data.invitation_token }
      expect(await answer(await joining.request('POST', '/api/auth/sign-up', { body }))).toEqual({
        status: 202,
        body: { success: true, second_factor: 'enrol' },
      })
      expect(await statusOf(joining)).toBe(401)
      await enrol(joining)
      expect(await statusOf(joining)).toBe(200)
    })

    it('makes someone who used a recovery code set up a new factor first', async () => {
      const { client, secret, recoveryCodes } = await enrolled(boss)
      expect((await require(client)).status).toBe(200)
      const half = await halfSignedIn(boss)
      expect((await give(half, { recovery_code: recoveryCodes[3] })).status).toBe(200)
      expect(await statusOf(half)).toBe(401)
      await enrol(half)
      expect(await statusOf(half)).toBe(200)
      expect(await give(await halfSignedIn(boss), { code: codeOf(secret) })).toEqual(WRONG)
    })

    it('does not trust an old token after the factor was removed', async () => {
      const { client, secret } = await enrolled(boss)
      expect((await require(client)).status).toBe(200)
      const token = await tokenOf(client)
      expect(await askDatabase(token, 'locations?select=name')).toEqual([{ name: 'Retiro' }])
      await client.request('DELETE', ACCOUNT, { body: { code: codeOf(secret, 1) } })
      expect(await askDatabase(token, 'locations?select=name')).toEqual([])
    })
  })
})
