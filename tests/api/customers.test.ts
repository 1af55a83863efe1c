import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { invalid, refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
let stranger: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
})
beforeEach(() => g.sql(emptyTables('customers', 'audit_log')))
afterAll(() => g?.app.close())

const PATH = '/api/customers'
const create = async (fields: object, client = boss) => {
  const { status, body } = await g.ask(client, 'POST', PATH, fields)
  expect(status).toBe(201)
  return body.data
}
const NO_CONSENT = {
  ...{ basis: 'none', source: null, at: null, author: null, reason: null },
  opted_out: false,
}
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
      postal_code: ' 28013 ',
      city: ' Getafe ',
      language: 'fr-FR',
      tags: ['prensa', ' vecina ', 'prensa'],
      notes: 'Mesa 4\nsin gluten',
      location_id: g.places.Sur,
    })
    expect(made).toEqual({
      id: expect.any(String),
      email: 'ana.ruiz@correo.example',
      phone: '+34612345678',
      emails: [],
      phones: [],
      whatsapp_id: null,
      first_name: 'Ana',
      last_name: null,
      birth_date: '1988-02-29',
      company: 'Acme',
      job_title: 'Chef',
      address: 'Calle Mayor 1',
      postal_code: '28013',
      city: 'Getafe',
      language: 'fr',
      tags: ['prensa', 'vecina'],
      source: 'Manual',
      notes: 'Mesa 4\nsin gluten',
      location_id: g.places.Sur,
      total_visits: 0,
      total_spend: 0,
      spend_is_estimate: false,
      points: 0,
      last_visit_at: null,
      last_visit_on: null,
      loyalty_tier: null,
      created_at: expect.stringMatching(/Z$/),
      consent: { whatsapp: NO_CONSENT, sms: NO_CONSENT, email: NO_CONSENT },
      allergies: [],
      write_frequency: null,
      muted_brands: [],
    })
    const expected = { status: 200, body: { data: made } }
    expect(await g.ask(boss, 'GET', `${PATH}/${made.id}`)).toEqual(expected)
    expect(await g.ask(boss, 'GET', `${PATH}/${made.id.toUpperCase()}`)).toEqual(expected)
    expect((await g.ask(boss, 'GET', PATH)).body.data).toEqual([made])
    expect(await audit()).toEqual([
      { action: 'customer.created', subject_type: 'customer', id: made.id, details: {}, role: 'admin' },
    ])
  })

  it.each([
    ['nothing', {}, null],
    ['only blanks', { email: ' ', first_name: '' }, null],
    ['only tags', { tags: ['vip'] }, null],
    ['an e-mail that is none', { email: 'ana@correo' }, 'email'],
    ['an e-mail with a NUL', { email: 'a\0na@correo.example' }, 'email'],
    ['a phone that is none', { phone: '12' }, 'phone'],
    ['a number for a name', { first_name: 5 }, 'first_name'],
    ['a NUL in a name', { first_name: 'a\0' }, 'first_name'],
    ['half a character', '{"first_name":"a\\ud800"}', 'first_name'],
    ['a name too long', { first_name: 'a'.repeat(101) }, 'first_name'],
    ['notes too long', { first_name: 'a', notes: 'a'.repeat(5001) }, 'notes'],
    ['a day that is none', { first_name: 'a', birth_date: '2026-02-30' }, 'birth_date'],
    ['the year 0', { first_name: 'a', birth_date: '0000-01-01' }, 'birth_date'],
    ['the year 12026', { first_name: 'a', birth_date: '12026-01-01' }, 'birth_date'],
    ['a birth to come', { first_name: 'a', birth_date: '2099-01-01' }, 'birth_date'],
    ['a language that is none here', { first_name: 'a', language: 'ru' }, 'language'],
    ['a language by its name', { first_name: 'a', language: 'Francés' }, 'language'],
    ['a number for a language', { first_name: 'a', language: 5 }, 'language'],
    ['a city too long', { first_name: 'a', city: 'a'.repeat(121) }, 'city'],
    ['tags that are no list', { first_name: 'a', tags: 'vip' }, 'tags'],
    ['tags that are null', { first_name: 'a', tags: null }, 'tags'],
    ['a blank tag', { first_name: 'a', tags: [' '] }, 'tags.0'],
    ['a NUL in a tag', { first_name: 'a', tags: ['a\0'] }, 'tags.0'],
    ['too many tags', { first_name: 'a', tags: Array.from({ length: 51 }, String) }, 'tags'],
    ['a location that is no id', { first_name: 'a', location_id: 'norte' }, 'location_id'],
    ['a location not there', { first_name: 'a', location_id: crypto.randomUUID() }, 'location_id'],
    ['statistics', { first_name: 'a', total_visits: 3 }, ''],
    ['a tier', { first_name: 'a', loyalty_tier_id: crypto.randomUUID() }, ''],
    ['an id', { first_name: 'a', id: crypto.randomUUID() }, ''],
    ['a list', [], ''],
    ['no body', undefined, ''],
  ])('refuses %s', async (_, body, path) => {
    const refused = await g.ask(boss, 'POST', PATH, body)
    expect(refused).toEqual(path === null ? refusal('CONTACT_NEEDED') : invalid(path))
    expect(await g.sql('select 1 from public.customers')).toEqual([])
  })

  it('refuses a location of another organization, broken JSON, another content type and a body above 1 MB', async () => {
    expect(await g.ask(boss, 'POST', PATH, { first_name: 'a', location_id: g.places.Este })).toEqual(
      invalid('location_id', 'unknown'),
    )
    expect(await g.ask(boss, 'POST', PATH, '{')).toEqual(refusal('MALFORMED_JSON'))
    const headers = { 'content-type': 'text/plain' }
    expect((await boss.request('POST', PATH, { body: '{}', headers })).status).toBe(415)
    expect((await g.ask(boss, 'POST', PATH, { notes: 'a'.repeat(1_100_000) })).status).toBe(413)
  })

  it('refuses an e-mail in use, whatever its case; another organization may have it too', async () => {
    await create({ email: 'ana@correo.example' })
    const taken = refusal('EMAIL_TAKEN')
    expect(await g.ask(boss, 'POST', PATH, { email: 'ANA@correo.example' })).toEqual(taken)
    await create({ email: 'ana@correo.example' }, stranger)
    const { id } = await create({ email: 'eva@correo.example', phone: '612345678' })
    expect(await g.ask(boss, 'PATCH', `${PATH}/${id}`, { email: 'ana@correo.example' })).toEqual(taken)
    await create({ phone: '612345678', first_name: 'Leo' })
    expect(await g.sql('select 1 from public.customers')).toHaveLength(4)
  })

  it('creates one customer when four requests at once have the same e-mail', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => g.ask(boss, 'POST', PATH, { email: 'ana@correo.example' })),
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
    const { status, body } = await g.ask(host, 'PATCH', `${PATH}/${made.id}`, changes)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...made, phone: '+442079460018', tags: ['b', 'c'], notes: null })
    expect((await g.ask(boss, 'GET', `${PATH}/${made.id}`)).body.data).toEqual(body.data)
    expect((await audit()).at(-1)).toEqual({
      action: 'customer.changed',
      subject_type: 'customer',
      id: made.id,
      details: { fields: ['notes', 'phone', 'tags'] },
      role: 'operaciones',
    })
  })

  it('answers the unchanged record, and logs nothing, when nothing changes', async () => {
    const made = await create({ email: 'ana@correo.example', tags: ['a'] })
    for (const body of [{}, { email: 'ANA@correo.example', tags: ['a'], birth_date: null }]) {
      const same = await g.ask(boss, 'PATCH', `${PATH}/${made.id}`, body)
      expect(same).toEqual({ status: 200, body: { data: made } })
    }
    expect(await audit()).toHaveLength(1)
  })

  it('refuses to clear the only contact, unknown fields and malformed bodies', async () => {
    const made = await create({ email: 'ana@correo.example' })
    const changes = [{ email: null }, { total_spend: 5 }, { source: 'PMS' }, { phone: 'x' }, null, 'text', 7]
    for (const body of changes) {
      const { status } = await g.ask(boss, 'PATCH', `${PATH}/${made.id}`, body)
      expect([status, body]).toEqual([400, body])
    }
    const foreign = { location_id: g.places.Este }
    expect((await g.ask(boss, 'PATCH', `${PATH}/${made.id}`, foreign)).status).toBe(400)
    expect((await g.ask(boss, 'GET', `${PATH}/${made.id}`)).body.data).toEqual(made)
  })
})
