import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import { machinesNeed } from '@/lib/openapi/operation'
import { MACHINE_PERMISSIONS } from '@/lib/permissions'
import { hashOfSecret, newSecret } from '@/lib/secret'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp, testClient } from '../support/app'
import { signedIn } from '../support/sign-in'

interface Made {
  id: string
  token: string
  secret: string
}

let app: TestApp
let group: Group
let admin: Client
let boundAdmin: Client
let other: Client
let day: string
const ids: Record<string, string> = {}

beforeAll(async () => {
  app = await startApp({ APP_URL: '' })
  group = await createGroup(app.stack, 'Grupo Fichas', [
    { name: 'Sol', slug: 'sol' },
    { name: 'Retiro', slug: 'retiro' },
  ])
  for (const { name, id } of group.locations) ids[name] = id
  const elsewhere = await createGroup(app.stack, 'Otro grupo', [{ name: 'Triana', slug: 'triana' }])
  ids.Triana = String(elsewhere.locations[0]?.id)
  admin = await signedIn(await named(await group.person('admin'), 'Lola Marín'))
  boundAdmin = await signedIn(await group.person('admin', [String(ids.Sol)]))
  other = await signedIn(await elsewhere.person('super_admin'))
  day = '2026-11-20'
  for (const { name, id } of group.locations) {
    const [customer] = await app.stack.sql<{ id: string }>(
      `insert into public.customers (organization_id, first_name, last_name, email) values ($1, $2, 'Prueba', $3) returning id`,
      [group.id, `De ${name}`, `${name.toLowerCase()}@guest.example`],
    )
    await app.stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, external_id, reservation_date, reservation_time, party_size, status)
       values ($1, $2, $3, $4, $5, '21:00', 2, 'confirmed')`,
      [group.id, id, customer?.id, `token-${name}`, day],
    )
  }
})
afterAll(() => app?.close())
beforeEach(() => app.stack.sql('delete from public.attempt_limits'))

async function named(person: Person, name: string): Promise<Person> {
  await app.stack.sql('update public.profiles set full_name = $1 where id = $2', [name, person.id])
  return person
}

const ALL = ['canAccessOperaciones', 'canAccessClientes', 'canAccessMarketing']

async function make(permissions = ALL, location_ids: (string | undefined)[] = [], by = admin): Promise<Made> {
  const body = { name: 'Cuadro de mando', permissions, location_ids, expires_in_days: 30 }
  const response = await by.request('POST', '/api/tokens', { body })
  expect(response.status).toBe(201)
  const { data } = await response.json()
  return { id: data.id, token: data.token, secret: data.token.slice(-43) }
}

/** A program that sends the token and keeps no cookies. */
const as = (token: string, headers: Record<string, string> = {}) => ({
  request: (method: string, path: string, body?: unknown) =>
    testClient().request(method, path, { body, headers: { authorization: `Bearer ${token}`, ...headers } }),
})
const statusOf = async (token: string, path = '/api/customers') =>
  (await as(token).request('GET', path)).status

/** The database API with the machine's own access token, as someone who signs in with the secret gets it. */
async function direct({ id, secret }: Made) {
  const db = stackClient(app.stack, 'anon')
  const { error } = await db.auth.signInWithPassword({
    email: `token-${id}@machines.invalid`,
    password: secret,
  })
  if (error) throw error
  return db
}

const RESERVATIONS = `/api/reservations?date=2026-11-20`

it('opens what its permissions say and nothing else', async () => {
  const operations = await make(['canAccessOperaciones'])
  const customers = await make(['canAccessClientes'])
  const marketing = await make(['canAccessMarketing'])
  const rows: [string, number, number, number][] = [
    [RESERVATIONS, 200, 403, 403],
    ['/api/customers', 403, 200, 403],
    ['/api/customers/tags', 403, 200, 403],
    ['/api/automations', 403, 403, 200],
    ['/api/messages', 403, 403, 200],
    ['/api/locations', 200, 200, 200],
    ['/api/stats/overview', 200, 200, 200],
    ['/api/tickets', 200, 200, 200],
    ['/api/tokens', 403, 403, 403],
    ['/api/team', 403, 403, 403],
    ['/api/integrations', 403, 403, 403],
    ['/api/jobs', 403, 403, 403],
    ['/api/imports', 403, 403, 403],
  ]
  for (const [path, ...statuses] of rows) {
    const seen = await Promise.all(
      [operations, customers, marketing].map(({ token }) => statusOf(token, path)),
    )
    expect([path, ...seen]).toEqual([path, ...statuses])
  }
})

it.each([...MACHINE_PERMISSIONS])(
  'of every operation, %s opens those that are declared for it',
  async (held) => {
    // Two tokens: there are more operations than one may call in a minute.
    const tokens = [await make([held]), await make([held])]
    const problems: string[] = []
    const calls = Object.entries(PATHS)
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
      )
      .map((call, n) => ({ ...call, token: tokens[n % tokens.length]?.token ?? '' }))
    const attempt = async ({ path, method, operation, token }: (typeof calls)[number]) => {
      if (operation.auth === 'none') return
      const needed = machinesNeed(operation)
      const isOpen = needed === true || needed === held
      const at = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
      const body = method === 'get' || method === 'delete' ? undefined : {}
      const { status } = await as(token).request(method.toUpperCase(), at, body)
      const isAsDeclared =
        operation.auth === 'cron'
          ? status === 401
          : isOpen
            ? ![401, 403, 429].includes(status)
            : status === 403
      if (!isAsDeclared) problems.push(`${method} ${path}: ${status}`)
    }
    const worker = async () => {
      for (let call = calls.shift(); call; call = calls.shift()) await attempt(call)
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(problems).toEqual([])
  },
  90_000,
)

it('changes what its permissions say: nothing that is for people, nor what any colleague may do without one', async () => {
  const { token } = await make()
  const program = as(token)
  const created = await program.request('POST', '/api/customers', {
    first_name: 'Nora',
    email: 'nora@guest.example',
  })
  expect(created.status).toBe(201)
  const { data } = await created.json()
  const refused: [string, string, unknown?][] = [
    ['GET', `/api/customers/${data.id}/export`],
    ['POST', '/api/tickets', { subject: 'Hola', priority: 'low' }],
    ['POST', '/api/calendar-events', { title: 'Hola', event_datetime: '2026-11-28T19:30:00Z' }],
    ['POST', '/api/ai/chat', { message: 'Hola' }],
    ['POST', '/api/tokens', { name: 'Otra', permissions: ALL }],
    ['POST', '/api/team/invitations', { email: 'mia@guest.example', role: 'admin' }],
    ['PATCH', '/api/organization', { horizon_days: 3 }],
    ['PUT', '/api/loyalty/config', {}],
  ]
  for (const [method, path, body] of refused)
    expect([path, (await program.request(method, path, body)).status]).toEqual([path, 403])
  expect((await program.request('DELETE', `/api/customers/${data.id}`)).status).toBe(204)
})

it('runs automations and saves loyalty rules only with the permission for marketing', async () => {
  const without = await make(['canAccessClientes'])
  const run = await as(without.token).request(
    'POST',
    '/api/automations/00000000-0000-4000-8000-000000000000/run',
  )
  expect(run.status).toBe(403)
  expect(
    (await as(without.token).request('POST', '/api/loyalty/rules', { locationId: ids.Sol, rules: [] }))
      .status,
  ).toBe(403)
  const db = await direct(without)
  const { data: tier } = await stackClient(app.stack, 'service')
    .from('loyalty_tiers')
    .select('id')
    .limit(1)
    .maybeSingle()
  const rules = [{ tier_id: tier?.id ?? ids.Sol, min_spend: 1, min_visits: 1 }]
  const saved = await db.rpc('save_loyalty_rules', { p_location: String(ids.Sol), p_rules: rules } as never)
  expect(JSON.stringify(saved)).not.toContain('saved')
})

it('sees its locations only', async () => {
  const sol = await make(ALL, [ids.Sol])
  const text = await (await as(sol.token).request('GET', RESERVATIONS)).text()
  expect(text).toContain('token-Sol')
  expect(text).not.toContain('token-Retiro')
  const everywhere = await make()
  expect(await (await as(everywhere.token).request('GET', RESERVATIONS)).text()).toContain('token-Retiro')
  const locations = await (await as(sol.token).request('GET', '/api/locations')).json()
  expect(locations.data.map(({ name }: { name: string }) => name)).toEqual(['Sol'])
})

it('opens no more by the database API, with the machine’s own access token', async () => {
  const db = await direct(await make(['canAccessOperaciones'], [ids.Sol]))
  const reservations = await db.from('reservations').select('location_id').throwOnError()
  expect(reservations.data).toEqual([{ location_id: ids.Sol }])
  expect((await db.from('customers').select('id')).data ?? []).toEqual([])
  expect((await db.from('integration_configs').select('id')).data ?? []).toEqual([])
  expect((await db.from('invitations').select('id')).data ?? []).toEqual([])
  expect((await db.from('audit_log').select('id')).data ?? []).toEqual([])
  expect((await db.rpc('list_api_tokens')).data ?? []).toEqual([])
  const prepared = await db.rpc('prepare_api_token', {
    ...{ p_name: 'x', p_permissions: ALL, p_locations: [], p_days: 1 },
    ...{ p_token_hash: 'a'.repeat(64), p_account_hash: 'b'.repeat(64) },
  })
  expect(prepared.data).toEqual({ outcome: 'forbidden' })
  const ticket = await db.rpc('save_ticket', { p_id: null as never, p_fields: { subject: 'Hola' } })
  expect(ticket.data).toEqual({ outcome: 'not_found' })
  const event = { title: 'Hola', event_datetime: '2026-11-28T19:30:00Z' }
  expect((await db.rpc('save_calendar_event', { p_id: null as never, p_fields: event })).data).toEqual({
    outcome: 'not_found',
  })
  expect(
    (await db.rpc('use_api_token', { p_id: ids.Sol as string, p_token_hash: '', p_network: '' })).error,
  ).not.toBeNull()
  expect((await db.rpc('my_session')).data).toMatchObject({
    role: 'machine',
    permissions: ['canAccessOperaciones'],
  })
})

it('is over at once when it is revoked, its machine’s access token too', async () => {
  const made = await make()
  const db = await direct(made)
  expect(await statusOf(made.token)).toBe(200)
  expect((await db.from('locations').select('id')).data).toHaveLength(2)
  expect((await admin.request('DELETE', `/api/tokens/${made.id}`)).status).toBe(204)
  expect(await statusOf(made.token)).toBe(401)
  expect((await db.from('locations').select('id')).data).toEqual([])
  expect((await db.rpc('my_session')).data).toBeNull()
  const again = await direct(made).catch(() => null)
  if (again) expect((await again.from('locations').select('id')).data).toEqual([])
  expect((await admin.request('DELETE', `/api/tokens/${made.id}`)).status).toBe(204)
})

it('is over at once when it expires, its machine’s access token too', async () => {
  const made = await make()
  const db = await direct(made)
  expect(await statusOf(made.token)).toBe(200)
  await app.stack.sql(`update private.api_tokens set expires_at = now() where id = $1`, [made.id])
  expect(await statusOf(made.token)).toBe(401)
  expect((await db.from('locations').select('id')).data).toEqual([])
})

it.each(['revoked_at', 'expires_at'])(
  'is refused by the database itself once %s has come',
  async (column) => {
    const made = await make()
    const use = async () => {
      const [row] = await app.stack.sql<{ answer: { outcome: string } }>(
        `select public.use_api_token(t.id, t.token_hash, '203.0.113.9') as answer from private.api_tokens t where t.id = $1`,
        [made.id],
      )
      return row?.answer.outcome
    }
    expect(await use()).toBe('known')
    await app.stack.sql(`update private.api_tokens set ${column} = now() where id = $1`, [made.id])
    expect(await use()).toBe('refused')
  },
)

it('goes on after its machine’s session was ended by itself', async () => {
  const made = await make()
  expect(await statusOf(made.token)).toBe(200)
  await app.stack.sql(
    'delete from auth.sessions where user_id = (select user_id from private.api_tokens where id = $1)',
    [made.id],
  )
  expect(await statusOf(made.token)).toBe(200)
})

it.each([
  ['the wrong secret', ({ id }: Made) => `sbm_${id}_${'A'.repeat(43)}`],
  ['another token’s secret', ({ id }: Made, second: Made) => `sbm_${id}_${second.secret}`],
  ['an unknown id', ({ secret }: Made) => `sbm_00000000-0000-4000-8000-000000000000_${secret}`],
  ['no secret', ({ id }: Made) => `sbm_${id}_`],
  ['more behind it', ({ token }: Made) => `${token}x`],
  ['an id that is none', ({ secret }: Made) => `sbm_x' or true--_${secret}`],
])('refuses %s, also while the right one is in use', async (_, forge) => {
  const [made, second] = [await make(), await make()]
  expect(await statusOf(made.token)).toBe(200)
  expect(await statusOf(forge(made, second))).toBe(401)
})

it('refuses a network after thirty wrong tokens in a minute, and lets the right one in still', async () => {
  const { id, token } = await make()
  const wrong = `sbm_${id}_${'A'.repeat(43)}`
  const statuses: number[] = []
  for (let count = 0; count < 32; count++) statuses.push(await statusOf(wrong))
  expect(statuses).toEqual([...Array(30).fill(401), 429, 429])
  expect(await statusOf(token)).toBe(200)
})

it('answers 429 with Retry-After to the 121st request of a minute, of this token only', async () => {
  const [busy, quiet] = [await make(), await make()]
  expect(await statusOf(busy.token)).toBe(200)
  await app.stack.sql(`update public.attempt_limits set hits = 120 where key = $1`, [`api-token:${busy.id}`])
  const response = await as(busy.token).request('GET', '/api/customers')
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await statusOf(quiet.token)).toBe(200)
})

it('needs no own origin, and neither reads nor sets a cookie', async () => {
  const { token } = await make(['canAccessClientes'])
  const body = { first_name: 'Vera', email: 'vera@guest.example' }
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const sent = await as(token, foreign).request('POST', '/api/customers', body)
  expect(sent.status).toBe(201)
  // With both, the token counts: an admin's cookies add nothing to it.
  const both = await admin.request('GET', '/api/team', { headers: { authorization: `Bearer ${token}` } })
  expect(both.status).toBe(403)
  expect(both.headers.getSetCookie()).toEqual([])
  // A wrong token is not rescued by cookies, so a page that can set the header gains nothing by it.
  const wrong = { authorization: `Bearer sbm_x`, ...foreign }
  expect((await admin.request('POST', '/api/customers', { body, headers: wrong })).status).toBe(401)
  // Any other Authorization header leaves a cookie's request what it was.
  const cross = await admin.request('POST', '/api/customers', {
    body,
    headers: { authorization: 'Bearer x', ...foreign },
  })
  expect(cross.status).toBe(403)
})

it('is not the scheduler', async () => {
  const { token } = await make()
  expect((await as(token).request('GET', '/api/cron/sync')).status).toBe(401)
  expect((await as(token).request('POST', '/api/sync')).status).toBe(401)
})

it('its machine cannot sign in to the app, nor get or change a password', async () => {
  const made = await make()
  const email = `token-${made.id}@machines.invalid`
  const client = app.client()
  const response = await client.request('POST', '/api/auth/sign-in', {
    body: { email, password: made.secret },
  })
  expect(response.status).toBe(401)
  expect((await client.request('GET', '/api/locations')).status).toBe(401)
  expect((await client.request('POST', '/api/auth/forgot-password', { body: { email } })).status).toBe(200)
  const [user] = await app.stack.sql<{ recovery_token: string | null }>(
    'select recovery_token from auth.users where email = $1',
    [email],
  )
  expect(user?.recovery_token || null).toBeNull()
  const db = await direct(made)
  await db.auth.updateUser({ password: 'otra-clave-muy-larga-2026' })
  await db.auth.updateUser({ email: 'ladron@guest.example' })
  expect(await direct(made)).toBeTruthy()
  const [kept] = await app.stack.sql<{ email: string }>('select email from auth.users where email = $1', [
    email,
  ])
  expect(kept?.email).toBe(email)
})

it('its machine keeps its password, address and phone at Auth, and has no second factor', async () => {
  const made = await make()
  const email = `token-${made.id}@machines.invalid`
  const account = () =>
    app.stack.sql(
      'select email, phone, email_change, phone_change, encrypted_password, raw_user_meta_data from auth.users where email = $1',
      [email],
    )
  const before = await account()
  const db = await direct(made)
  const password = 'otra-clave-muy-larga-2026'
  for (const change of [{ password }, { email: 'ladron@guest.example' }])
    expect((await db.auth.updateUser(change)).error, JSON.stringify(change)).not.toBeNull()
  // Where Auth takes no phones, it does not even try.
  await db.auth.updateUser({ phone: '+34600111222' })
  await db.auth.updateUser({ data: { junk: 'x'.repeat(1000) } })
  expect(await account()).toEqual(before)
  await expect(direct({ ...made, secret: password })).rejects.toThrow()

  if (app.stack.kind === 'postgres')
    expect((await db.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'x' })).error).not.toBeNull()
  expect(await app.stack.sql('select id from auth.mfa_factors')).toEqual([])
  expect(await statusOf(made.token)).toBe(200)
})

it('keeps the secret nowhere but hashed', async () => {
  const made = await make()
  await statusOf(made.token)
  const tables = await app.stack.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private', 'auth')`,
  )
  for (const { name } of tables) {
    const [found] = await app.stack.sql<{ n: number }>(
      `select count(*)::int as n from ${name} as t where t::text like '%' || $1 || '%'`,
      [made.secret],
    )
    expect([name, found?.n]).toEqual([name, 0])
  }
  const list = await (await admin.request('GET', '/api/tokens?limit=200')).text()
  expect(list).toContain(made.token.slice(0, 12))
  expect(list).not.toContain(made.secret)
  const [user] = await app.stack.sql<{ data: object }>(
    'select raw_user_meta_data as data from auth.users where email = $1',
    [`token-${made.id}@machines.invalid`],
  )
  expect(JSON.stringify(user?.data)).not.toContain('machine_token')
})

it('notes when it was used, once a minute, and who made and revoked it', async () => {
  const made = await make()
  const lastUse = async () => {
    const { data } = await (await admin.request('GET', '/api/tokens?limit=200')).json()
    return data.find(({ id }: { id: string }) => id === made.id)
  }
  expect(await lastUse()).toMatchObject({ last_used_at: null, created_by: 'Lola Marín' })
  await statusOf(made.token)
  const first = (await lastUse()).last_used_at
  expect(first).not.toBeNull()
  await statusOf(made.token)
  expect((await lastUse()).last_used_at).toBe(first)
  await admin.request('DELETE', `/api/tokens/${made.id}`)
  const log = await app.stack.sql<{ action: string }>(
    'select action from public.audit_log where subject_id = $1 order by created_at',
    [made.id],
  )
  expect(log.map(({ action }) => action)).toEqual(['api_token.created', 'api_token.revoked'])
})

it('is made and revoked only by managers of the team, for no more than they work in', async () => {
  const body = { name: 'x', permissions: ALL }
  const ceo = await signedIn(await group.person('ceo'))
  const create = (by: Client, more: object) =>
    by.request('POST', '/api/tokens', { body: { ...body, ...more } })
  expect((await create(ceo, {})).status).toBe(403)
  expect((await create(boundAdmin, {})).status).toBe(403)
  expect((await create(boundAdmin, { location_ids: [ids.Retiro] })).status).toBe(400)
  expect((await create(boundAdmin, { location_ids: [ids.Sol] })).status).toBe(201)
  expect((await create(admin, { location_ids: [ids.Triana] })).status).toBe(400)
  expect((await create(admin, { permissions: ['canManageTeam'] })).status).toBe(400)
  expect((await create(admin, { permissions: [] })).status).toBe(400)
  expect((await create(admin, { expires_in_days: 366 })).status).toBe(400)
  const [retiro, everywhere] = [await make(ALL, [ids.Retiro]), await make()]
  const visible = await (await boundAdmin.request('GET', '/api/tokens?limit=200')).text()
  for (const { id } of [retiro, everywhere]) {
    expect(visible).not.toContain(id)
    expect((await boundAdmin.request('DELETE', `/api/tokens/${id}`)).status).toBe(404)
    expect((await other.request('DELETE', `/api/tokens/${id}`)).status).toBe(404)
    expect((await ceo.request('DELETE', `/api/tokens/${id}`)).status).toBe(403)
  }
  expect(await statusOf(retiro.token)).toBe(200)
  expect(await (await other.request('GET', '/api/tokens')).json()).toEqual({ data: [], next_cursor: null })
})

it('is no colleague: not in the team, not to be assigned, changed or removed', async () => {
  const made = await make()
  const [account] = await app.stack.sql<{ user_id: string }>(
    'select user_id from private.api_tokens where id = $1',
    [made.id],
  )
  const user = String(account?.user_id)
  expect(await (await admin.request('GET', '/api/team?limit=200')).text()).not.toContain(user)
  expect((await admin.request('PATCH', `/api/team/${user}`, { body: { role: 'admin' } })).status).toBe(404)
  expect((await admin.request('DELETE', `/api/team/${user}`)).status).toBe(404)
  const ticket = { subject: 'Hola', priority: 'low', assignee_id: user }
  expect((await admin.request('POST', '/api/tickets', { body: ticket })).status).toBe(400)
})

/** Asks Auth for an account as anyone can, with what should admit a machine; whether it is there then. */
async function admits(email: string, proof: string): Promise<boolean> {
  await stackClient(app.stack, 'anon').auth.signUp({
    ...{ email, password: 'una-clave-muy-larga-2026' },
    options: { data: { machine_token: proof } },
  })
  const found = await app.stack.sql('select id from auth.users where email = $1', [email])
  return found.length > 0
}

/** A token that waits for its account, since so many minutes. */
async function pending(minutes: number): Promise<string> {
  const [row] = await app.stack.sql<{ id: string }>(
    `insert into private.api_tokens (organization_id, name, token_hash, account_hash, permissions, created_by, expires_at, created_at)
     values ($1, 'Web', $2, $3, '{canAccessClientes}', 'Lola', now() + interval '1 day', now() - make_interval(mins => $4))
     returning id`,
    [group.id, newSecret().hash, hashOfSecret('proof'), minutes],
  )
  return `token-${row?.id}@machines.invalid`
}

it('admits no account but its own, by what its maker alone has, within ten minutes', async () => {
  const [fresh, stale] = [await pending(1), await pending(11)]
  expect(await admits(fresh, 'x')).toBe(false)
  expect(await admits(fresh, '')).toBe(false)
  expect(await admits('ladron@guest.example', 'proof')).toBe(false)
  expect(await admits('token-x@machines.invalid', 'proof')).toBe(false)
  expect(await admits(stale, 'proof')).toBe(false)
  expect(await admits(fresh, 'proof')).toBe(true)
})
