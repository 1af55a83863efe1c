import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROLES } from '@/lib/auth/permissions'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
beforeAll(async () => {
  g = await startGuests()
})
beforeEach(() => g.sql('truncate public.customers, public.audit_log cascade'))
afterAll(() => g?.app.close())

const PATH = '/api/customers'
const create = async (fields: object, client = g.boss) => {
  const { status, body } = await g.ask(client, 'POST', PATH, fields)
  expect(status).toBe(201)
  return body.data
}
const NO_CONSENT = {
  ...{ basis: 'none', source: null, at: null, author: null, reason: null },
  opted_out: false,
}
const NOT_FOUND = { status: 404, body: { error: 'Not found' } }
const audit = () =>
  g.sql(
    `select a.action, a.subject_type, a.subject_id::text as id, a.details, p.role from public.audit_log a
     left join public.profiles p on p.id = a.actor_id order by a.created_at`,
  )

describe('creating a customer', () => {
  it('stores it normalised, and reads it back', async () => {
    const made = await create({
      email: '  Ana.Ruiz@Correo.EXAMPLE ',
      phone: '612 34 56 78',
      first_name: ' Ana ',
      last_name: '  ',
      birth_date: '1988-02-29',
      company: 'Acme',
      job_title: 'Chef',
      address: 'Calle Mayor 1',
      tags: ['prensa', ' vecina ', 'prensa'],
      notes: 'Mesa 4\nsin gluten',
      location_id: g.places.Sur,
    })
    expect(made).toEqual({
      id: expect.any(String),
      email: 'ana.ruiz@correo.example',
      phone: '+34612345678',
      whatsapp_id: null,
      first_name: 'Ana',
      last_name: null,
      birth_date: '1988-02-29',
      company: 'Acme',
      job_title: 'Chef',
      address: 'Calle Mayor 1',
      tags: ['prensa', 'vecina'],
      source: 'Manual',
      notes: 'Mesa 4\nsin gluten',
      location_id: g.places.Sur,
      total_visits: 0,
      total_spend: 0,
      spend_is_estimate: false,
      points: 0,
      last_visit_at: null,
      loyalty_tier: null,
      created_at: expect.stringMatching(/Z$/),
      consent: { whatsapp: NO_CONSENT, sms: NO_CONSENT, email: NO_CONSENT },
    })
    const expected = { status: 200, body: { data: made } }
    expect(await g.ask(g.boss, 'GET', `${PATH}/${made.id}`)).toEqual(expected)
    expect(await g.ask(g.boss, 'GET', `${PATH}/${made.id.toUpperCase()}`)).toEqual(expected)
    expect((await g.ask(g.boss, 'GET', PATH)).body.data).toEqual([made])
    expect(await audit()).toEqual([
      { action: 'customer.created', subject_type: 'customer', id: made.id, details: {}, role: 'admin' },
    ])
  })

  it.each([
    ['nothing', {}, 'A customer needs an e-mail, a phone or a name'],
    ['only blanks', { email: ' ', first_name: '' }, 'A customer needs an e-mail, a phone or a name'],
    ['only tags', { tags: ['vip'] }, 'A customer needs an e-mail, a phone or a name'],
    ['an e-mail that is none', { email: 'ana@correo' }, 'email: Not a valid e-mail'],
    ['an e-mail with a NUL', { email: 'a\0na@correo.example' }, 'email: '],
    ['a phone that is none', { phone: '12' }, 'phone: Not a valid phone number'],
    ['a number for a name', { first_name: 5 }, 'first_name: '],
    ['a NUL in a name', { first_name: 'a\0' }, 'first_name: '],
    ['half a character', '{"first_name":"a\\ud800"}', 'first_name: '],
    ['a name too long', { first_name: 'a'.repeat(101) }, 'first_name: '],
    ['notes too long', { first_name: 'a', notes: 'a'.repeat(5001) }, 'notes: '],
    ['a day that is none', { first_name: 'a', birth_date: '2026-02-30' }, 'birth_date: '],
    ['the year 0', { first_name: 'a', birth_date: '0000-01-01' }, 'birth_date: '],
    ['the year 12026', { first_name: 'a', birth_date: '12026-01-01' }, 'birth_date: '],
    ['a birth to come', { first_name: 'a', birth_date: '2099-01-01' }, 'birth_date: '],
    ['tags that are no list', { first_name: 'a', tags: 'vip' }, 'tags: '],
    ['tags that are null', { first_name: 'a', tags: null }, 'tags: '],
    ['a blank tag', { first_name: 'a', tags: [' '] }, 'tags.0: '],
    ['a NUL in a tag', { first_name: 'a', tags: ['a\0'] }, 'tags.0: '],
    ['too many tags', { first_name: 'a', tags: Array.from({ length: 51 }, String) }, 'tags: '],
    ['a location that is no id', { first_name: 'a', location_id: 'norte' }, 'location_id: '],
    ['a location not there', { first_name: 'a', location_id: crypto.randomUUID() }, 'location_id: Unknown'],
    ['statistics', { first_name: 'a', total_visits: 3 }, 'body: '],
    ['a tier', { first_name: 'a', loyalty_tier_id: crypto.randomUUID() }, 'body: '],
    ['an id', { first_name: 'a', id: crypto.randomUUID() }, 'body: '],
    ['a list', [], 'body: '],
    ['no body', undefined, 'body: '],
    ['broken JSON', '{', 'Malformed JSON'],
  ])('refuses %s', async (_, body, error) => {
    const refused = await g.ask(g.boss, 'POST', PATH, body)
    expect(refused).toEqual({ status: 400, body: { error: expect.stringContaining(error) } })
    expect(await g.sql('select 1 from public.customers')).toEqual([])
  })

  it('refuses a location of another organization, other content types and great bodies', async () => {
    expect(await g.ask(g.boss, 'POST', PATH, { first_name: 'a', location_id: g.places.Este })).toEqual({
      status: 400,
      body: { error: 'location_id: Unknown location' },
    })
    const headers = { 'content-type': 'text/plain' }
    expect((await g.boss.request('POST', PATH, { body: '{}', headers })).status).toBe(415)
    expect((await g.ask(g.boss, 'POST', PATH, { notes: 'a'.repeat(1_100_000) })).status).toBe(413)
  })

  it('refuses an e-mail in use, whatever its case; another organization may have it too', async () => {
    await create({ email: 'ana@correo.example' })
    const taken = { status: 409, body: { error: 'A customer with this e-mail exists' } }
    expect(await g.ask(g.boss, 'POST', PATH, { email: 'ANA@correo.example' })).toEqual(taken)
    await create({ email: 'ana@correo.example' }, g.stranger)
    const { id } = await create({ email: 'eva@correo.example', phone: '612345678' })
    expect(await g.ask(g.boss, 'PATCH', `${PATH}/${id}`, { email: 'ana@correo.example' })).toEqual(taken)
    await create({ phone: '612345678', first_name: 'Leo' })
    expect(await g.sql('select 1 from public.customers')).toHaveLength(4)
  })

  it('of two at once with the same e-mail makes one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => g.ask(g.boss, 'POST', PATH, { email: 'ana@correo.example' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(await g.sql('select 1 from public.customers')).toHaveLength(1)
    expect(await audit()).toHaveLength(1)
  })
})

describe('changing a customer', () => {
  it('changes the given fields only, and logs which', async () => {
    const made = await create({ email: 'ana@correo.example', first_name: 'Ana', tags: ['a'], notes: 'x' })
    const changes = { phone: '+44 20 7946 0018', tags: ['b', 'c'], notes: ' ', first_name: 'Ana' }
    const { status, body } = await g.ask(g.host, 'PATCH', `${PATH}/${made.id}`, changes)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...made, phone: '+442079460018', tags: ['b', 'c'], notes: null })
    expect((await g.ask(g.boss, 'GET', `${PATH}/${made.id}`)).body.data).toEqual(body.data)
    expect((await audit()).at(-1)).toEqual({
      action: 'customer.changed',
      subject_type: 'customer',
      id: made.id,
      details: { fields: ['notes', 'phone', 'tags'] },
      role: 'operaciones',
    })
  })

  it('with nothing, or nothing new, answers the record and logs nothing', async () => {
    const made = await create({ email: 'ana@correo.example', tags: ['a'] })
    for (const body of [{}, { email: 'ANA@correo.example', tags: ['a'], birth_date: null }]) {
      const same = await g.ask(g.boss, 'PATCH', `${PATH}/${made.id}`, body)
      expect(same).toEqual({ status: 200, body: { data: made } })
    }
    expect(await audit()).toHaveLength(1)
  })

  it('refuses to leave nothing to know the person by, other fields, and nonsense', async () => {
    const made = await create({ email: 'ana@correo.example' })
    const changes = [{ email: null }, { total_spend: 5 }, { source: 'PMS' }, { phone: 'x' }, null, 'text', 7]
    for (const body of changes) {
      const { status } = await g.ask(g.boss, 'PATCH', `${PATH}/${made.id}`, body)
      expect([status, body]).toEqual([400, body])
    }
    const foreign = { location_id: g.places.Este }
    expect((await g.ask(g.boss, 'PATCH', `${PATH}/${made.id}`, foreign)).status).toBe(400)
    expect((await g.ask(g.boss, 'GET', `${PATH}/${made.id}`)).body.data).toEqual(made)
  })
})

describe('who may', () => {
  const calls = (id: string): [method: string, path: string, body?: unknown][] => [
    ['GET', `${PATH}/${id}`],
    ['PATCH', `${PATH}/${id}`, { notes: 'robada' }],
    ['DELETE', `${PATH}/${id}`],
    ['GET', `${PATH}/${id}/export`],
    ['POST', `${PATH}/${id}/merge`, { duplicate_id: crypto.randomUUID() }],
  ]

  it('see customers: the roles of the matrix, bound to a location or not', async () => {
    await create({ first_name: 'Ana', location_id: g.places.Norte })
    const statuses: Record<string, unknown> = {}
    for (const role of ROLES) {
      const { status, body } = await g.ask(await signedIn(await g.group.person(role)), 'GET', PATH)
      statuses[role] = status === 200 ? body.data.length : status
    }
    const yes = { super_admin: 1, admin: 1, ceo: 1, marketing: 1, operaciones: 1 }
    expect(statuses).toEqual({ ...yes, rrhh: 403, pr_comunicacion: 403 })
    expect((await g.ask(g.host, 'GET', PATH)).body.data).toHaveLength(1)
  })

  it('change nothing: those without session, permission, or in another organization', async () => {
    const made = await create({ first_name: 'Ana' })
    const everything = [...calls(made.id), ['GET', PATH], ['POST', PATH, {}], ['GET', `${PATH}/duplicates`]]
    for (const [method, path, body] of everything as ReturnType<typeof calls>) {
      expect(await g.ask(g.app.client(), method, path, body)).toEqual({
        status: 401,
        body: { error: 'Unauthorized' },
      })
      expect(await g.ask(g.cook, method, path, body)).toEqual({ status: 403, body: { error: 'Forbidden' } })
    }
    for (const [method, path, body] of calls(made.id)) {
      expect(await g.ask(g.stranger, method, path, body), `${method} ${path}`).toEqual(NOT_FOUND)
    }
    expect((await g.ask(g.stranger, 'GET', PATH)).body.data).toEqual([])
    expect((await g.ask(g.boss, 'GET', `${PATH}/${made.id}`)).body.data).toEqual(made)
  })

  it('refuses ids that are none, and does not find those not there', async () => {
    for (const [method, path, body] of calls('nonsense%00'))
      expect((await g.ask(g.boss, method, path, body)).status).toBe(400)
    for (const [method, path, body] of calls(crypto.randomUUID()))
      expect(await g.ask(g.boss, method, path, body)).toEqual(NOT_FOUND)
  })

  it('refuses what another site sends, the export included', async () => {
    const { id } = await create({ first_name: 'Ana' })
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await g.boss.request('GET', `${PATH}/${id}/export`, { headers })).status).toBe(403)
    expect((await g.boss.request('DELETE', `${PATH}/${id}`, { headers })).status).toBe(403)
  })
})
