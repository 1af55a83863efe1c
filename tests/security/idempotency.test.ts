import '../support/late-database'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hashOfBody } from '@/lib/http/idempotency'
import { takesKey } from '@/lib/openapi/operation'
import { withoutSecrets } from '@/lib/openapi/shown-once'
import { arrangeCast, type Cast } from '../sql/cast'
import { type Client, startApp, type TestApp } from '../support/app'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'
import { type Place, plant } from './roles/places'
import { requestOf } from './roles/requests'
import { OPERATIONS } from './roles/tries'

const TIMES = 20
/** For a machine that many share. */
const SLOW_MACHINE = 120_000

/** Every operation that takes an Idempotency-Key, by the declarations. */
const CREATING = Object.keys(OPERATIONS).filter((name) =>
  takesKey(OPERATIONS[name] ?? {}, name.split(' ')[0] ?? ''),
)
/** Bodies that say more than the examples: of what the planted guest has. */
const BODIES: Record<string, object> = {
  'POST /api/customers/{id}/points': { kind: 'adjusted', points: 10, reason: 'Disculpa por la espera' },
  // Without a phone, which would make them look like the same guest.
  'POST /api/customers': { phone: undefined },
  'POST /api/reservations': { customer_phone: undefined, confirm: ['service_over', 'outside_hours'] },
  'POST /api/locations/{id}/closings': { shift: undefined },
  'POST /api/segments': { name: 'Vuelven', definition: { field: 'visits', min: 2 } },
}
/** What frees the record for a second one. */
const AGAIN: Record<string, string> = {
  'POST /api/feedback/{id}/reply': `with sent as (
      delete from public.messages where id in (select reply_message_id from public.feedback))
    update public.feedback set reply = null, replied_at = null, replied_by = null, reply_message_id = null`,
  'POST /api/locations/{id}/closings': 'delete from public.closed_days',
  'POST /api/team/{id}/password-link': `with told as (
      delete from public.messages where content ->> 'template' = 'password_link')
    delete from private.role_grants`,
}
/** Tables that grow with any request. */
const COUNTERS = [
  'public.rate_limits',
  'public.attempt_limits',
  'private.session_details',
  'private.kept_answers',
]

let app: TestApp
let cast: Cast
let place: Place
let boss: Client
let tables: string[]

beforeAll(async () => {
  app = await startApp()
  cast = await arrangeCast(app.stack)
  place = await plant(app.stack, [String(cast.ids.Norte), String(cast.ids.Retiro)], '@@RETIRO', '@@NORTE')
  // Whom a link to a new password is for.
  place.rows.profiles = String(cast.ids.marketing)
  await app.stack.sql('update public.integration_configs set is_enabled = false')
  await app.stack.sql('delete from public.rate_limits')
  await app.stack.sql(`update public.customers set email = 'ana@correo.example' where id = $1`, [
    place.rows.customers,
  ])
  await app.stack.sql(AGAIN['POST /api/feedback/{id}/reply'] ?? '')
  boss = await signedIn({ email: 'super_admin@equipo.example' } as never)
  const found = await app.stack.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind = 'r' order by 1`,
  )
  tables = found
    .map(({ name }) => (name.includes('.') ? name : `public.${name}`))
    .filter((name) => !COUNTERS.includes(name))
})
beforeEach(forgetLimits)
afterAll(() => app?.close())

async function forgetLimits(): Promise<void> {
  for (const table of ['rate_limits', 'attempt_limits']) await app.stack.sql(`delete from public.${table}`)
}

/** How many rows every table has. */
async function counts(): Promise<Record<string, number>> {
  const parts = tables.map((name) => `select '${name}' as name, count(*)::int as rows from ${name}`)
  const found = await app.stack.sql<{ name: string; rows: number }>(parts.join(' union all '))
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]))
}

/** The tables that some work makes grow or shrink, and by how many rows. */
async function growth(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await counts()
  await work()
  const after = await counts()
  const changed = Object.entries(after).map(([name, rows]) => [name, rows - (before[name] ?? 0)] as const)
  return Object.fromEntries(changed.filter(([, rows]) => rows !== 0))
}

/** A record's request, told apart from the others' by a word in its names. */
function requestFor(name: string, word: string) {
  const operation = OPERATIONS[name]
  if (!operation) throw new Error(name)
  const { method, path, body } = requestOf(name, operation, place, {
    harmless: false,
    names: false,
    self: String(cast.ids.super_admin),
    guest: place.rows.customers ?? '',
    tier: String(cast.ids['Norte Oro']),
  })
  const told = Object.entries({ ...(body ?? {}), ...BODIES[name] }).map(([field, value]) => {
    if (field === 'email') return [field, `${word}.${value}`]
    return [
      field,
      /^(name|slug|subject|title|tag|body|text|reply|reason|first_name|customer_name)$/.test(field)
        ? `${value} ${word}`
        : value,
    ]
  })
  return { method, path, body: operation.body ? Object.fromEntries(told) : undefined }
}

interface Sent {
  status: number
  code: string | null
  replayed: string | null
  text: string
}

async function send(name: string, word: string, key?: string, by = boss): Promise<Sent> {
  const { method, path, body } = requestFor(name, word)
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const response = await by.request(method, path, { body, headers })
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    replayed: response.headers.get('idempotency-replayed'),
    text: await response.text(),
  }
}

const isDone = ({ status }: Sent) => status >= 200 && status < 300

it('are all operations that create', () => {
  expect(CREATING.sort()).toEqual([
    'POST /api/automations',
    'POST /api/brands',
    'POST /api/calendar-events',
    'POST /api/campaigns',
    'POST /api/campaigns/{id}/copy',
    'POST /api/conversations/{id}/reply',
    'POST /api/customers',
    'POST /api/customers/tags',
    'POST /api/customers/{id}/points',
    'POST /api/email-templates',
    'POST /api/feedback/{id}/reply',
    'POST /api/locations',
    'POST /api/locations/{id}/closings',
    'POST /api/reservations',
    'POST /api/segments',
    'POST /api/shift-notes',
    'POST /api/team/invitations',
    'POST /api/team/invitations/{id}/link',
    'POST /api/team/{id}/password-link',
    'POST /api/tickets',
    'POST /api/tickets/{id}/comments',
    'POST /api/tokens',
    'POST /api/waitlist',
  ])
})

describe.each(CREATING)('%s', (name) => {
  it(`sent ${TIMES} times at once with one key makes what one request makes`, {
    timeout: SLOW_MACHINE,
  }, async () => {
    const key = `twenty of ${name}`
    let plain: Sent | undefined
    const one = await growth(async () => {
      plain = await send(name, 'uno')
    })
    expect(plain).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
    if (AGAIN[name]) await app.stack.sql(AGAIN[name])

    let sent: Sent[] = []
    const twenty = await growth(async () => {
      sent = await Promise.all(Array.from({ length: TIMES }, () => send(name, 'dos', key)))
    })
    expect(twenty).toEqual(one)
    const done = sent.filter(isDone)
    const [first, ...others] = done.filter(({ replayed }) => replayed === null)
    expect({ first: first?.status, others }).toEqual({ first: plain?.status, others: [] })
    const refused = sent.filter((answer) => !isDone(answer)).map(({ code }) => code)
    const limited = OPERATIONS[name]?.rateLimited ? ['RATE_LIMITED'] : []
    expect(refused.filter((code) => !['IN_PROGRESS', ...limited].includes(String(code)))).toEqual([])

    await forgetLimits()
    let again: Sent | undefined
    const nothing = await growth(async () => {
      again = await send(name, 'dos', key)
      for (const answer of [...done, again])
        if (answer !== first) expect(answer).toMatchObject({ status: first?.status, replayed: 'true' })
      expect(await send(name, 'tres', key)).toMatchObject(
        OPERATIONS[name]?.body
          ? { status: 422, code: 'IDEMPOTENCY_MISMATCH' }
          : { status: first?.status, replayed: 'true' },
      )
    })
    expect(nothing).toEqual({})
    const secrets = JSON.parse(again?.text ?? '').data
    const whole = JSON.parse(first?.text ?? '').data
    for (const field of ['token', 'url']) if (field in whole) whole[field] = null
    expect(secrets).toEqual(whole)
  })
})

describe('a key', () => {
  const TICKET = { subject: 'Se ha roto el lavavajillas' }
  const post = (key: string | undefined, body: object = TICKET, by = boss, path = '/api/tickets') =>
    by.request('POST', path, { body, headers: key === undefined ? {} : { 'idempotency-key': key } })
  const idOf = async (response: Response) => ((await response.json()) as { data: { id: string } }).data.id
  const kept = (key: string) =>
    app.stack.sql<{ status: number | null; answer: string | null }>(
      'select status, answer from private.kept_answers where key = $1',
      [key],
    )

  it('is of one caller: another with the same key and body makes their own', async () => {
    const colleague = await signedIn({ email: 'ceo@equipo.example' } as never)
    const [mine, theirs] = [await post('shared'), await post('shared', TICKET, colleague)]
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.headers.get('idempotency-replayed')).toBeNull()
    expect(await idOf(theirs)).not.toBe(await idOf(mine))
  })

  it('is of one path: another path is another request', async () => {
    const path = (id: string) => `/api/tickets/${id}/comments`
    const [one, other] = [await idOf(await post('t1')), await idOf(await post('t2'))]
    const body = { body: 'Viene el técnico' }
    const answers = [await post('c', body, boss, path(one)), await post('c', body, boss, path(other))]
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [201, null],
      [201, null],
    ])
  })

  it('goes with the same JSON, whatever its spaces and the order of its fields', async () => {
    const headers = { 'idempotency-key': 'written', 'content-type': 'application/json' }
    const written = (body: string) => boss.request('POST', '/api/tickets', { body, headers })
    const first = await written('{"subject":"Una","description":"Dos"}')
    const again = await written('{ "description": "Dos",\n "subject": "Una" }')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
  })

  it('is the same with the quotes of a structured header', async () => {
    const first = await idOf(await post('quoted'))
    expect(await idOf(await post('"quoted"'))).toBe(first)
  })

  it('is forgotten after 24 hours', async () => {
    const first = await idOf(await post('old'))
    const ago = (time: string) =>
      app.stack.sql(
        `update private.kept_answers set created_at = now() - interval '${time}' where key = 'old'`,
      )
    await ago('23 hours 59 minutes')
    expect(await idOf(await post('old'))).toBe(first)
    await ago('24 hours')
    const later = await post('old', { subject: 'Otra cosa' })
    expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  it('is free again after an error, with the same body and with another', async () => {
    const nowhere = { ...TICKET, location_id: String(cast.ids.Triana) }
    expect((await post('failed', nowhere)).ok).toBe(false)
    expect((await post('failed', { subject: '' })).status).toBe(400)
    expect(await kept('failed')).toEqual([])
    const answers = [await post('failed'), await post('failed')]
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  })

  it('of a request that died is held for three minutes, and then free', async () => {
    await app.stack.sql(
      `insert into private.kept_answers (caller_id, path, key, organization_id, body_hash, holder, role, location_ids, held_until)
       select p.id, '/api/tickets', 'died', p.organization_id, $2, gen_random_uuid(), p.role, '{}', now() + interval '180 seconds'
       from public.profiles p where p.id = $1`,
      [cast.ids.super_admin, hashOfBody(TICKET)],
    )
    const held = await post('died')
    expect([held.status, held.headers.get('x-error-code')]).toEqual([409, 'IN_PROGRESS'])
    await app.stack.sql(`update private.kept_answers set held_until = now() where key = 'died'`)
    const made = await post('died')
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  it('of a request that was slow is not answered by it once another has taken it over', async () => {
    const at = [cast.ids.super_admin, '/api/tickets', 'slow'] as const
    const begin = (holder: string) =>
      app.stack.sql<{ begun: { outcome: string } }>(
        'select public.begin_keyed_request($1, $2, $3, $4, $5, 180) as begun',
        [...at, 'a'.repeat(64), holder],
      )
    const end = (holder: string, status: number | null) =>
      app.stack.sql('select public.end_keyed_request($1, $2, $3, $4, $5, $6)', [
        ...at,
        holder,
        status,
        holder,
      ])
    const [slow, next] = [randomUUID(), randomUUID()]
    expect(await begin(slow)).toEqual([{ begun: { outcome: 'first' } }])
    await app.stack.sql(`update private.kept_answers set held_until = now() where key = 'slow'`)
    expect(await begin(next)).toEqual([{ begun: { outcome: 'first' } }])
    await end(slow, 201)
    await end(slow, null)
    expect(await kept('slow')).toEqual([{ status: null, answer: null }])
    await end(next, 201)
    expect(await kept('slow')).toEqual([{ status: 201, answer: next }])
  })

  it.each([
    ['empty', ''],
    ['empty in quotes', '""'],
    ['of 256 characters', 'x'.repeat(256)],
    ['with letters beyond ASCII', 'clave ñ'],
    ['with a tab', 'a\tb'],
  ])('%s is a 400, and makes nothing', async (_, key) => {
    const made = await growth(async () => {
      expect(await answer(await post(key))).toEqual(invalid('Idempotency-Key'))
    })
    expect(made).toEqual({})
  })

  it.each([
    ['of one character', 'x'],
    ['of 255 characters', 'x'.repeat(255)],
    ['with spaces and signs', 'form 12, "part" ~ {2}'],
  ])('%s is taken', async (_, key) => {
    const first = await idOf(await post(key))
    expect(await idOf(await post(key))).toBe(first)
  })

  it('means nothing to a request that creates nothing, however it reads', async () => {
    const id = await idOf(await post(undefined))
    const patch = (body: object) =>
      boss.request('PATCH', `/api/tickets/${id}`, { body, headers: { 'idempotency-key': 'x'.repeat(300) } })
    expect((await patch({ subject: 'Uno' })).status).toBe(200)
    expect((await patch({ subject: 'Dos' })).status).toBe(200)
  })

  it('is asked for after the session: without one the answer is a 401', async () => {
    await post('private')
    expect((await post('private', TICKET, app.client())).status).toBe(401)
    expect((await post('', TICKET, app.client())).status).toBe(401)
  })
})

describe('an answer that is kept', () => {
  const booking = (location: string) => ({
    ...{ location_id: location, reservation_date: '2190-05-01', reservation_time: '21:00', party_size: 2 },
    customer_name: 'Eva Kept',
    confirm: ['outside_hours'],
  })
  const book = (by: Client, key: string, location = 'Retiro') =>
    by.request('POST', '/api/reservations', {
      body: booking(String(cast.ids[location])),
      headers: { 'idempotency-key': key },
    })
  const move = (person: string, location: string) =>
    app.stack.sql('update public.profile_locations set location_id = $2 where profile_id = $1', [
      cast.ids[person],
      cast.ids[location],
    ])
  const setRole = (person: string, role: string) =>
    app.stack.sql('update public.profiles set role = $2 where id = $1', [cast.ids[person], role])

  it('is refused to whom it was given once they no longer work there', async () => {
    const bound = await signedIn({ email: 'boundoperaciones@equipo.example' } as never)
    expect((await book(bound, 'bound')).status).toBe(201)
    await move('boundOperaciones', 'Sol')
    expect(await answer(await book(bound, 'bound'))).toEqual(refusal('FORBIDDEN'))
    await move('boundOperaciones', 'Retiro')
    expect((await book(bound, 'bound')).headers.get('idempotency-replayed')).toBe('true')
  })

  it('is refused to whom it was given in another role, and without the permission', async () => {
    const person = await signedIn({ email: 'marketing@equipo.example' } as never)
    expect((await book(person, 'role')).status).toBe(201)
    for (const role of ['operaciones', 'rrhh']) {
      await setRole('marketing', role)
      expect(await answer(await book(person, 'role'))).toEqual(refusal('FORBIDDEN'))
    }
    await setRole('marketing', 'marketing')
    expect((await book(person, 'role')).headers.get('idempotency-replayed')).toBe('true')
  })

  it('is an API token’s own: each token is a caller', async () => {
    const token = async (name: string) => {
      const body = { name, permissions: ['canAccessOperaciones'], location_ids: [], expires_in_days: 1 }
      const { data } = (await answer(await boss.request('POST', '/api/tokens', { body }))).body
      return data.token as string
    }
    const by = (secret: string) => ({
      ...boss,
      request: (method: string, path: string, init: Parameters<Client['request']>[2]) =>
        app.client().request(method, path, {
          ...init,
          headers: { ...init?.headers, authorization: `Bearer ${secret}` },
        }),
    })
    const [one, two] = [by(await token('Uno')), by(await token('Dos'))]
    const answers = [await book(one, 'machine'), await book(one, 'machine'), await book(two, 'machine')]
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [201, null],
      [201, 'true'],
      [201, null],
    ])
  })

  it('has no secret, in the database neither', async () => {
    const body = { name: 'Secreto', permissions: ['canAccessOperaciones'], expires_in_days: 1 }
    const headers = { 'idempotency-key': 'secret' }
    const made = await answer(await boss.request('POST', '/api/tokens', { body, headers }))
    expect(made.body.data.token).toMatch(/^sbm_/)
    const [row] = await app.stack.sql<{ answer: string }>(
      `select answer from private.kept_answers where key = 'secret'`,
    )
    expect(row?.answer).not.toContain(made.body.data.token.slice(-32))
    expect(JSON.parse(String(row?.answer)).data).toEqual({ ...made.body.data, token: null })
  })

  it('about a guest is emptied when the guest is erased, and nothing is created again', async () => {
    const guest = {
      first_name: 'Nadia',
      last_name: 'Borrada',
      email: 'nadia@correo.example',
      phone: '+34600987654',
    }
    const post = (path: string, body: object) =>
      boss.request('POST', path, { body, headers: { 'idempotency-key': 'guest' } })
    const customer = (await answer(await post('/api/customers', guest))).body.data
    const about: [string, object][] = [
      ['/api/customers', guest],
      [`/api/customers/${customer.id}/points`, { kind: 'adjusted', points: 10, reason: 'Bienvenida' }],
      ['/api/tickets', { subject: 'Escribir a Nadia@correo.example' }],
      ['/api/calendar-events', { title: 'Llamar +34600987654', event_datetime: '2190-05-01T10:00:00Z' }],
    ]
    const others: [string, object][] = [
      ['/api/brands', { name: 'Nadia Borrada, xnadia@correo.example' }],
      ['/api/segments', { name: 'Borrada +346009876541', definition: { field: 'visits', min: 2 } }],
    ]
    for (const [path, body] of [...about, ...others]) expect((await post(path, body)).status).toBe(201)
    await app.stack.sql('delete from public.customers where id = $1', [customer.id])
    const left = await app.stack.sql<{ path: string }>(
      `select path from private.kept_answers where key = 'guest' and answer is not null order by path`,
    )
    expect(left.map(({ path }) => path)).toEqual(others.map(([path]) => path))
    const made = await growth(async () => {
      for (const [path, body] of about)
        expect(await answer(await post(path, body))).toEqual(refusal('ANSWER_NOT_KEPT'))
      for (const [path, body] of others) expect((await post(path, body)).status).toBe(201)
    })
    expect(made).toEqual({})
  })

  it('goes with the person who left', async () => {
    const person = await signedIn({ email: 'ceo@equipo.example' } as never)
    expect((await book(person, 'left')).status).toBe(201)
    await app.stack.sql('delete from public.profiles where id = $1', [cast.ids.ceo])
    expect(await app.stack.sql(`select 1 from private.kept_answers where key = 'left'`)).toEqual([])
  })
})

it('every secret of an answer that creates is null when it is given again', () => {
  const suspects = CREATING.flatMap((name) =>
    Object.entries(OPERATIONS[name]?.responses ?? {})
      .filter(([status, { schema }]) => Number(status) < 300 && schema)
      .flatMap(([, { schema, example }]) => {
        const [whole, again] = [example, withoutSecrets(schema ?? z.any(), example)]
        const { data } = whole as { data: Record<string, unknown> }
        return Object.keys(data)
          .filter((field) => /token|secret|(?<!review_)url|(?<!postal_)code|password/.test(field))
          .map((field) => [name, field, (again as { data: Record<string, unknown> }).data[field]])
      }),
  )
  expect(suspects).toEqual(suspects.map(([name, field]) => [name, field, null]))
  expect(suspects.map(([name, field]) => `${name} ${field}`).sort()).toEqual([
    'POST /api/team/invitations token',
    'POST /api/team/invitations url',
    'POST /api/team/invitations/{id}/link token',
    'POST /api/team/invitations/{id}/link url',
    'POST /api/team/{id}/password-link url',
    'POST /api/tokens token',
  ])
})
