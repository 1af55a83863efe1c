import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'
import { createGroup, type Group, stackClient } from '../factories/group'
import { emptyTables } from '../support/empty-tables'
import { type Stack, startStack } from '../support/stack'
import cases from '../text-cases.json'

let stack: Stack
let group: Group

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Contactos', [{ name: 'Norte', slug: 'norte' }])
})
beforeEach(() => stack.sql(emptyTables('reservations', 'customers')))
afterAll(() => stack?.close())

const BASE = { id: 'r1', date: '2026-05-01', time: '21:00', pax: 2, status: 'confirmed' }

/** Saves PMS rows as the sync does. @returns the ids of bookings whose e-mail is none since then. */
async function save(...rows: Record<string, unknown>[]): Promise<unknown> {
  const p_rows = rows.map((row) => {
    const parsed = parseRow({ ...BASE, ...row })
    return parsed.ok ? { ...parsed.row } : expect.fail('malformed row in a test')
  })
  const parameters = { p_location: group.locations[0]?.id ?? '', p_rows }
  const { data } = await stackClient(stack, 'service').rpc('sync_reservations', parameters).throwOnError()
  return (data as { bad_emails: string[] }).bad_emails
}

const bookings = () =>
  stack.sql(
    `select r.external_id as id, r.customer_email as email, r.customer_phone as phone, r.notes, c.first_name as guest
     from public.reservations r left join public.customers c on c.id = r.customer_id order by 1`,
  )
const furtherPhones = () =>
  stack.sql(
    `select c.first_name as guest, a.phone from public.customer_aliases a
     join public.customers c on c.id = a.customer_id where a.phone is not null order by 1, 2`,
  )

describe('an e-mail that is none', () => {
  it('is named once, and not at every sync', async () => {
    const row = { client_name: 'Ana', client_phone: '600111222', client_email: 'no tiene' }
    expect(await save(row)).toEqual(['r1'])
    expect(await save(row)).toEqual([])
    expect(await save({ ...row, pax: 4 })).toEqual([])
    expect(await save({ ...row, client_email: 'tampoco' })).toEqual([])
    expect(await save({ ...row, client_email: 'ana@example.com' })).toEqual([])
    expect(await save(row)).toEqual(['r1'])
    expect(await save({ ...row, client_email: '' })).toEqual([])
    expect(await save(row)).toEqual(['r1'])
  })

  it('leaves the booking with its guest', async () => {
    await save({ client_name: 'Ana', client_email: 'ana@example.com' })
    expect(await save({ client_name: 'Ana', client_email: 'ana@example' })).toEqual(['r1'])
    expect(await bookings()).toEqual([{ id: 'r1', email: null, phone: null, notes: null, guest: 'Ana' }])
    await save({ client_name: 'Ana', client_email: '' })
    await save({ client_name: 'Ana', client_email: 'ana@example' })
    expect(await bookings()).toMatchObject([{ guest: 'Ana' }])
  })

  it('of a booking whose guest was erased is not named', async () => {
    await save({ client_name: 'Ana', client_email: 'ana@example.com', client_phone: '600111222 / 600333444' })
    await stack.sql(
      'update public.reservations set erased_at = now(), customer_id = null, customer_email = null',
    )
    await stack.sql('delete from public.customers')
    expect(
      await save({ client_name: 'Ana', client_email: 'nada', client_phone: '600333444 / 600555666' }),
    ).toEqual([])
    expect(await furtherPhones()).toEqual([])
  })
})

describe('a phone field with more than a number', () => {
  it('has the phone first, a further phone that finds its guest, and words for the notes', async () => {
    const phone = '600 111 222 / 600-333-444 (marido)'
    await save({ client_name: 'Ana', client_email: 'ana@example.com', client_phone: phone, notes: 'Ventana' })
    expect(await bookings()).toEqual([
      { id: 'r1', email: 'ana@example.com', phone: '+34600111222', notes: 'Ventana\nmarido', guest: 'Ana' },
    ])
    expect(await furtherPhones()).toEqual([{ guest: 'Ana', phone: '+34600333444' }])
    await save({ client_name: 'Ana', client_email: 'ana@example.com', client_phone: phone, notes: 'Ventana' })
    await save({ id: 'r2', client_phone: '600333444' })
    expect(await furtherPhones()).toHaveLength(1)
    expect(await bookings()).toMatchObject([{ guest: 'Ana' }, { id: 'r2', guest: 'Ana' }])
  })

  it('leaves notes that staff changed, whatever stands beside the number', async () => {
    const row = { client_name: 'Ana', client_phone: '600111222 (marido)', notes: 'Vino' }
    await save(row)
    for (const mark of ['Vino', 'Vino\nmarido']) {
      await stack.sql(
        `update public.reservations set notes = 'Alergia', staff_marks = jsonb_build_object('notes', $1::text)`,
        [mark],
      )
      await save({ ...row, pax: 3 })
      await save(row)
      expect(await bookings()).toMatchObject([{ notes: 'Alergia' }])
    }
    await save({ ...row, notes: 'Agua' })
    expect(await bookings()).toMatchObject([{ notes: 'Agua\nmarido' }])
  })

  it('takes no phone from the guest who has it', async () => {
    await save({ client_name: 'Bea', client_phone: '600333444' })
    await save({ id: 'r2', client_name: 'Ana', client_phone: '600111222 / 600333444' })
    expect(await furtherPhones()).toEqual([])
    await save({ id: 'r3', client_phone: '600333444' })
    expect(await bookings()).toMatchObject([{ guest: 'Bea' }, { guest: 'Ana' }, { guest: 'Bea' }])
  })

  it('gives a further phone of two guests in one batch to the first', async () => {
    await save(
      { client_name: 'Ana', client_phone: '600111222 / 600555666' },
      { id: 'r2', client_name: 'Bea', client_phone: '600333444 / 600555666' },
    )
    expect(await furtherPhones()).toEqual([{ guest: 'Ana', phone: '+34600555666' }])
  })
})

it('finds one guest by every spelling of an address', async () => {
  await save(
    { client_name: 'Ana', client_email: 'Ana@MÜNCHEN.example' },
    { id: 'r2', client_name: 'Ana', client_email: 'Ana <ana@xn--mnchen-3ya.example>' },
    { id: 'r3', client_name: 'Ana', client_email: '\u200bmailto:ana@mu\u0308nchen.example;' },
  )
  expect(await stack.sql('select email from public.customers')).toEqual([
    { email: 'ana@xn--mnchen-3ya.example' },
  ])
})

it('takes every e-mail and phone of the table of cases as they are stored', async () => {
  const emails = [...new Set(cases.email.flatMap(({ out }) => out ?? []))]
  const phones = [...new Set(cases.phone.flatMap(({ phone, further }) => [phone ?? [], further].flat()))]
  await stack.sql(
    'insert into public.customers (organization_id, email) select $1, e from unnest($2::text[]) as e',
    [group.id, emails],
  )
  await stack.sql(
    'insert into public.customers (organization_id, phone) select $1, p from unnest($2::text[]) as p',
    [group.id, phones],
  )
  expect(await stack.sql('select count(*)::int as guests from public.customers')).toEqual([
    { guests: emails.length + phones.length },
  ])
})
