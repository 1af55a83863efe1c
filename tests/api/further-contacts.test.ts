import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { contactsBy } from '../support/further-contacts'
import { type Guests, startGuests } from '../support/guests'
import { invalid, refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
let { create, read, patch, change, merge } = {} as ReturnType<typeof contactsBy>
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Norte')
  ;({ create, read, patch, change, merge } = contactsBy(g, boss))
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers', 'suppressions', 'audit_log', 'rate_limits')))
afterAll(() => g?.app.close())

const PATH = '/api/customers'
/** 409 for a further contact that another customer has, at its place in the list. */
const taken = (path: string, contact: string) => ({
  status: 409,
  body: {
    error: `Another customer has ${contact}`,
    code: 'CONTACT_TAKEN',
    issues: [{ path, code: 'taken' }],
  },
})
const mails = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => `a${from + n}@correo.example`)
const aliases = (id: string) =>
  g.sql(
    'select email, phone, whatsapp_id, name from public.customer_aliases where customer_id = $1 order by created_at',
    [id],
  )

describe('the lists', () => {
  it('are stored normalised, in their order, without the first one and doubles', async () => {
    const made = await create({
      email: 'ana@correo.example',
      phone: '612345678',
      emails: [' Ana@Trabajo.example', 'ana@correo.example', 'ana@trabajo.example', 'a@casa.example'],
      phones: ['912 345 678', '+34 612 345 678', '+33 1 42 68 53 00', '912345678'],
    })
    expect(made).toMatchObject({
      emails: ['ana@trabajo.example', 'a@casa.example'],
      phones: ['+34912345678', '+33142685300'],
    })
    expect(await read(made.id)).toEqual(made)
    expect((await g.ask(boss, 'GET', PATH)).body.data).toEqual([made])
  })

  it('are replaced when given, and stay when not', async () => {
    const { id } = await create({
      first_name: 'Ana',
      email: 'a@correo.example',
      emails: ['b@correo.example'],
    })
    await change(id, { phones: ['612345678'], notes: 'Terraza' })
    expect(await read(id)).toMatchObject({ emails: ['b@correo.example'], phones: ['+34612345678'] })
    await change(id, { emails: ['c@correo.example', 'b@correo.example'] })
    expect(await read(id)).toMatchObject({ emails: ['b@correo.example', 'c@correo.example'] })
    await change(id, { emails: [], phones: [] })
    expect(await read(id)).toMatchObject({ emails: [], phones: [], email: 'a@correo.example' })
  })

  it('leave former names and WhatsApp ids where they are, at every save', async () => {
    const { id } = await create({ first_name: 'Ana', phone: '612345678', phones: ['698765432'] })
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, whatsapp_id, name)
       values ($1, $2, 'ES.1', null), ($1, $2, null, 'Anita Gil')`,
      [g.group.id, id],
    )
    await change(id, { notes: 'Terraza' })
    await change(id, { phone: '611111111' })
    await change(id, { phones: [], emails: ['a@correo.example'] })
    const kept = (await aliases(id)).map(({ name, whatsapp_id, email }) => name ?? whatsapp_id ?? email)
    expect(kept.sort()).toEqual(['Anita Gil', 'ES.1', 'a@correo.example'])
  })

  it('are named in the log, without values', async () => {
    const { id } = await create({ email: 'a@correo.example' })
    await change(id, { emails: ['b@correo.example'], phones: ['612345678'] })
    await change(id, { emails: ['b@correo.example'] })
    const lines = await g.sql(`select details from public.audit_log where action = 'customer.changed'`)
    expect(lines).toEqual([{ details: { fields: ['emails', 'phones'] } }])
  })

  it.each([
    ['an e-mail that is none', { emails: ['ana@correo.example', 'ana@correo'] }, 'emails.1', 'invalid'],
    ['a phone that is none', { phones: ['12'] }, 'phones.0', 'invalid'],
    ['a blank', { emails: ['b@correo.example', ' '] }, 'emails.1', 'required'],
    ['null', { phones: [null] }, 'phones.0', 'required'],
  ])('take no %s', async (_, fields, path, code) => {
    const { id } = await create({ first_name: 'Ana' })
    expect(await patch(id, fields)).toEqual(invalid(path, code as never))
    expect(await aliases(id)).toEqual([])
  })

  it('have 20 at most, unless there are more already', async () => {
    const { id } = await create({ email: 'ana@correo.example', emails: mails(20) })
    const tooMany = {
      code: 'INVALID_INPUT',
      issues: [{ path: 'emails', code: 'too_many', params: { maximum: 20 } }],
    }
    expect((await patch(id, { emails: mails(21) })).body).toMatchObject(tooMany)
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, email)
       select $1, $2, unnest($3::text[])`,
      [g.group.id, id, mails(5, 21)],
    )
    const { emails } = await read(id)
    expect(emails).toHaveLength(25)
    await change(id, { emails, email: 'a1@correo.example' })
    expect((await read(id)).emails).toHaveLength(24)
    await change(id, { email: 'ana@correo.example', emails })
    expect((await patch(id, { emails: [...emails, 'x@correo.example'] })).body).toMatchObject(tooMany)
  })
})

describe('one contact, one guest', () => {
  it.each([
    ['first', {}],
    ['further', { email: 'z@correo.example', phone: '699999999' }],
  ])('refuses what another guest has as the %s', async (_, first) => {
    const [email, phone] = ['eva@correo.example', '+34612345678']
    const kept = { first_name: 'Eva', emails: [email], phones: [phone] }
    const eva = await create('email' in first ? { ...kept, ...first } : { email, phone })
    const { id } = await create({ email: 'ana@correo.example' })
    expect(await patch(id, { emails: ['b@correo.example', email], notes: 'x' })).toEqual(
      taken('emails.1', email),
    )
    expect(await patch(id, { phones: [phone] })).toEqual(taken('phones.0', phone))
    expect(await g.ask(boss, 'POST', PATH, { first_name: 'Leo', phones: [phone] })).toEqual(
      taken('phones.0', phone),
    )
    expect(await read(id)).toMatchObject({ emails: [], phones: [], notes: null })
    expect(await read(eva.id)).toEqual(eva)
  })

  it('refuses a first e-mail that another guest has as a further one', async () => {
    const eva = await create({ email: 'eva@correo.example', emails: ['b@correo.example'] })
    const { id } = await create({ email: 'ana@correo.example' })
    expect(await patch(id, { email: 'b@correo.example' })).toEqual(refusal('EMAIL_TAKEN'))
    expect(await g.ask(boss, 'POST', PATH, { email: 'b@correo.example' })).toEqual(refusal('EMAIL_TAKEN'))
    expect(await read(eva.id)).toEqual(eva)
  })

  it.each(['emails', 'phones'])('gives it to one when two ask at once: %s', async (kind) => {
    const contact = kind === 'emails' ? 'a@correo.example' : '+34612345678'
    const [one, other] = [await create({ first_name: 'Ana' }), await create({ first_name: 'Eva' })]
    const answers = await Promise.all(
      [one.id, other.id, one.id, other.id].map((id) => patch(id, { [kind]: [contact] })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect(await g.sql('select 1 from public.customer_aliases')).toHaveLength(1)
  })

  it('another group may have it too', async () => {
    const both = { first_name: 'Leo', emails: ['a@correo.example'], phones: ['612345678'] }
    const stranger = await signedIn(await g.other.person('super_admin'))
    expect((await g.ask(stranger, 'POST', PATH, both)).status).toBe(201)
    await create(both)
  })

  it('says when someone else changed the list meanwhile', async () => {
    const { id } = await create({ email: 'a@correo.example' })
    await change(id, { emails: ['b@correo.example'] })
    const stale = { emails: ['c@correo.example'], loaded: { emails: [] } }
    expect((await patch(id, stale)).body).toMatchObject({
      code: 'EDITED_MEANWHILE',
      current: { emails: ['b@correo.example'] },
    })
    await change(id, { emails: ['c@correo.example'], loaded: { emails: ['b@correo.example'] } })
    await change(id, { notes: 'x', loaded: { notes: null } })
    expect(await read(id)).toMatchObject({ emails: ['c@correo.example'] })
  })
})

describe('the first and the further ones', () => {
  it('change places in one request, also a phone that another guest shares', async () => {
    await create({ first_name: 'Eva', phone: '611111111' })
    const { id } = await create({
      email: 'a@correo.example',
      emails: ['b@correo.example'],
      phone: '611111111',
    })
    await change(id, { email: 'b@correo.example', emails: ['a@correo.example'] })
    await change(id, { phone: '622222222', phones: ['611111111'] })
    await change(id, { phone: '611111111', phones: ['622222222'] })
    expect(await read(id)).toMatchObject({
      ...{ email: 'b@correo.example', emails: ['a@correo.example'] },
      ...{ phone: '+34611111111', phones: ['+34622222222'] },
    })
  })

  it('a first phone that a booking filled can be corrected, and is gone then', async () => {
    const { id } = await create({ first_name: 'Ana', email: 'ana@correo.example', phones: ['612345678'] })
    await g.sync([
      { id: 'r1', client_name: 'Ana', client_email: 'ana@correo.example', client_phone: '612345678' },
    ])
    expect(await read(id)).toMatchObject({ phone: '+34612345678', phones: [] })
    await change(id, { phone: '698765432' })
    expect(await read(id)).toMatchObject({ phone: '+34698765432', phones: [] })
    await change(id, { phones: ['612345678'] })
    expect(await read(id)).toMatchObject({ phone: '+34698765432', phones: ['+34612345678'] })
  })

  it('a list is taken as it was read: phones that two guests share, and doubled ones after a merge', async () => {
    const shared = '+34612345678'
    await create({ first_name: 'Eva', phone: shared })
    const ana = await create({ first_name: 'Ana', email: 'ana@correo.example' })
    const leo = await create({ first_name: 'Ana', email: 'leo@correo.example' })
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, $4), ($1, $3, $4)`,
      [g.group.id, ana.id, leo.id, shared],
    )
    const merged = await merge(ana.id, leo.id)
    expect(merged).toMatchObject({ phones: [shared], emails: ['leo@correo.example'] })
    expect(await change(ana.id, { phones: merged.phones, emails: merged.emails, notes: 'x' })).toMatchObject({
      phones: [shared],
    })
    expect(await change(ana.id, { phones: [shared, '+34698765432'] })).toMatchObject({
      phones: [shared, '+34698765432'],
    })
    await change(ana.id, { phones: [], emails: [] })
    expect(await aliases(ana.id)).toEqual([])
  })
})

describe('finding', () => {
  it('a guest by a further phone or e-mail, together with a name too', async () => {
    const { id } = await create({
      ...{ first_name: 'Ana', last_name: 'Ruiz', email: 'ana@correo.example' },
      ...{ emails: ['jefa@trabajo.example'], phones: ['912345678'] },
    })
    await create({ first_name: 'Eva', last_name: 'Ruiz', emails: ['otra@trabajo.example'] })
    const found = async (search: string) => {
      const query = new URLSearchParams({ search })
      const { body } = await g.ask(boss, 'GET', `${PATH}?${query}`)
      const counted = await g.ask(boss, 'GET', `${PATH}/count?${query}`)
      expect(counted.body.data.customers).toBe(body.data.length)
      return body.data.map((one: { id: string }) => one.id)
    }
    for (const text of [
      '912 34 56 78',
      '345678',
      'jefa@trabajo.example',
      'ruiz jefa',
      'JEFA Ana',
      'ana@correo.example',
    ])
      expect([text, await found(text)]).toEqual([text, [id]])
    expect(await found('ruiz trabajo')).toHaveLength(2)
    expect(await found('eva jefa')).toEqual([])
  })

  it.each([600, 5100])('finds all of very many, %i, and only the own group’s', async (count) => {
    await g.sql(
      `with c as (insert into public.customers (organization_id, first_name)
         select o.id, 'n' || n from (values ($1::uuid, $3::integer), ($2::uuid, 50)) as o (id, most),
           generate_series(1, o.most) as n
         returning id, organization_id, first_name)
       insert into public.customer_aliases (organization_id, customer_id, email)
       select organization_id, id, first_name || '@muchos.example' from c`,
      [g.group.id, g.other.id, count],
    )
    const counted = async (search: string) =>
      (await g.ask(boss, 'GET', `${PATH}/count?search=${search}`)).body.data.customers
    expect(await counted('muchos')).toBe(Math.min(count, 5000))
    expect(await counted(`n${count - 1}@muchos`)).toBe(1)
    const { body } = await g.ask(boss, 'GET', `${PATH}?search=muchos&limit=100`)
    const own = body.data.flatMap((one: { emails: string[] }) => one.emails)
    expect(own).toHaveLength(100)
    const rows = await g.sql<{ plan: string }>(`select private.guest_search($1, '{%muchos%}') as plan`, [
      g.group.id,
    ])
    const [{ plan: condition } = { plan: '' }] = rows
    const plan = await g.sql(
      `explain select c.id from public.customers c where c.organization_id = '${g.group.id}' ${condition}
       order by c.sort_visit desc, c.id desc limit 101`,
    )
    // What is common is not collected before the first guest is shown.
    expect(JSON.stringify(plan).includes('hashed')).toBe(count < 5000)
  })

  it('a segment finds whom the list finds', async () => {
    const { id } = await create({ first_name: 'Ana', phones: ['912345678'] })
    await create({ first_name: 'Eva', phone: '612345678' })
    const definition = { field: 'search', text: '912345678' }
    const made = await g.ask(boss, 'POST', '/api/segments', { name: 'Por teléfono', definition })
    expect(made.status).toBe(201)
    const { body } = await g.ask(boss, 'GET', `${PATH}?segment_id=${made.body.data.id}`)
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id])
  })

  it('bookings of the PMS and of staff by a further contact are the guest’s', async () => {
    const { id } = await create({
      ...{ first_name: 'Ana', last_name: 'Ruiz', email: 'ana@correo.example', phone: '611111111' },
      ...{ emails: ['jefa@trabajo.example'], phones: ['912345678'] },
    })
    await g.sync([
      { id: 'r1', client_name: 'Ana Ruiz', client_email: 'jefa@trabajo.example' },
      { id: 'r2', client_name: 'Ana Ruiz', client_phone: '912345678' },
      { id: 'r3', client_name: 'Ana Ruiz', client_email: 'ana@correo.example', client_phone: '912345678' },
    ])
    const booking = { location_id: g.places.Norte, customer_name: 'Ana Ruiz', party_size: 2 }
    const at = {
      reservation_date: '2026-12-24',
      reservation_time: '21:00',
      confirm: ['outside_hours', 'service_over'],
    }
    for (const contact of [{ customer_email: 'jefa@trabajo.example' }, { customer_phone: '912345678' }])
      expect((await g.ask(host, 'POST', '/api/reservations', { ...booking, ...at, ...contact })).status).toBe(
        201,
      )
    expect(await g.sql('select customer_id from public.reservations')).toEqual(
      Array(5).fill({ customer_id: id }),
    )
    // Their e-mail in a booking with a further phone does not move the first phone, which gets the messages.
    expect(await read(id)).toMatchObject({ phone: '+34611111111', email: 'ana@correo.example' })
  })

  it('a removed e-mail comes back with a booking that the guest makes by it and their phone', async () => {
    const { id } = await create({ first_name: 'Ana', email: 'a@correo.example', phone: '612345678' })
    const row = { id: 'r1', client_name: 'Ana', client_phone: '612345678' }
    await g.sync([{ ...row, client_email: 'b@correo.example' }])
    expect(await read(id)).toMatchObject({ emails: ['b@correo.example'] })
    await change(id, { emails: [] })
    await g.sync([{ ...row, client_email: 'b@correo.example', pax: 4 }])
    expect(await read(id)).toMatchObject({ emails: [] })
    await g.sync([{ ...row, id: 'r2', client_email: 'b@correo.example' }])
    expect(await read(id)).toMatchObject({ emails: ['b@correo.example'] })
  })
})

describe('what leaves', () => {
  const contacts = { emails: ['b@correo.example', 'c@correo.example'], phones: ['+34912345678'] }

  it('the list as a file has them in its last columns', async () => {
    await create({ first_name: 'Ana', email: 'a@correo.example', ...contacts })
    await create({ first_name: 'Eva' })
    const rows = csvRows(await (await boss.request('GET', `${PATH}/export?sort=name`)).text())
    expect(rows.map((cells) => cells.slice(-2)).sort()).toEqual(
      [
        ['', ''],
        ['Otros correos electrónicos', 'Otros teléfonos'],
        ['b@correo.example; c@correo.example', '+34912345678'],
      ].sort(),
    )
  })

  it('the person’s file has them, and an erasure leaves none', async () => {
    const { id } = await create({ first_name: 'Ana', email: 'a@correo.example', ...contacts })
    const { body } = await g.ask(boss, 'GET', `${PATH}/${id}/export`)
    expect(body.customer).toMatchObject(contacts)
    expect(body.former_addresses.sort()).toEqual([...contacts.phones, ...contacts.emails])
    expect((await g.ask(boss, 'DELETE', `${PATH}/${id}`)).status).toBe(204)
    expect(await g.sql('select 1 from public.customer_aliases')).toEqual([])
  })

  it('floor staff see none', async () => {
    const { id } = await create({ first_name: 'Ana', email: 'a@correo.example', ...contacts })
    const floor = await g.hire('sala', 'Norte')
    expect((await g.ask(floor, 'GET', `${PATH}/${id}`)).status).toBe(403)
    expect((await g.ask(floor, 'PATCH', `${PATH}/${id}`, { emails: [] })).status).toBe(403)
    await g.sync([{ id: 'r1', client_name: 'Ana', client_email: 'a@correo.example' }])
    const card = await g.ask(floor, 'GET', `/api/service/guests/${id}`)
    expect(JSON.stringify(card.body)).not.toMatch(/correo|912345678/)
  })
})
