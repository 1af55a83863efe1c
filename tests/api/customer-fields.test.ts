import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleCustomer } from '@/lib/customers/examples'
import { FIELD_NAMES, GUEST_FIELDS, type GuestFieldName, SINGLE_FIELDS } from '@/lib/customers/guest-fields'
import header from '@/lib/i18n/es/client/guest-fields.json'
import type { Client } from '../support/app'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { answer } from '../support/sign-in'

/** Two values of each field, as the API gives them back. */
const values = (): Record<GuestFieldName, [one: unknown, other: unknown]> => ({
  email: ['ana@correo.example', 'otra@correo.example'],
  phone: ['+34612345678', '+34698765432'],
  first_name: ['Ana', 'Eva'],
  last_name: ['Ruiz', 'Gil'],
  birth_date: ['1988-02-29', '1990-12-01'],
  company: ['Olmo SL', 'Roble SA'],
  job_title: ['Chef', 'Jefa'],
  address: ['Calle Mayor 1', 'Plaza Nueva 2'],
  postal_code: ['28013', 'SW1A 1AA'],
  city: ['Alcalá de Henares', 'Sevilla'],
  language: ['ca', 'fr'],
  tags: [['prensa'], ['vip']],
  notes: ['Celíaca', 'Terraza'],
  location_id: [g.places.Norte, g.places.Sur],
})
const first = () => Object.fromEntries(FIELD_NAMES.map((field) => [field, values()[field][0]]))

let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('super_admin')
})
beforeEach(() => g.sql(emptyTables('customers', 'import_runs', 'rate_limits')))
afterAll(() => g?.app.close())

const create = async (fields: object): Promise<string> => {
  const { status, body } = await g.ask(boss, 'POST', '/api/customers', fields)
  expect(status).toBe(201)
  return body.data.id
}
const read = async (id: string) => (await g.ask(boss, 'GET', `/api/customers/${id}`)).body.data
const onlyOne = async () => (await g.ask(boss, 'GET', '/api/customers')).body.data[0]
const importFile = async (csv: string) =>
  answer(await boss.request('POST', '/api/imports', { body: csvForm(csv) }))

it('SQL and the registry name the same fields', async () => {
  const [row] = await g.sql<{ fields: string[] }>('select private.customer_fields() as fields')
  expect(row?.fields.sort()).toEqual([...FIELD_NAMES].sort())
})

// Forgetting a field in one of the places that list them makes one of these fail.
describe.each(FIELD_NAMES)('the field %s', (field) => {
  // A customer needs an e-mail, a phone or a name.
  const known = field === 'last_name' ? { first_name: 'Eva' } : { last_name: 'Sanz' }
  const empty = field === 'tags' ? [] : null

  it('is stored with a new customer', async () => {
    const [one] = values()[field]
    expect(await read(await create({ ...known, [field]: one }))).toMatchObject({ [field]: one })
  })

  it('is changed, cleared and named in the log', async () => {
    const [one, other] = values()[field]
    const id = await create({ ...known, [field]: one })
    for (const value of [other, empty]) {
      const { status, body } = await g.ask(boss, 'PATCH', `/api/customers/${id}`, { [field]: value })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ [field]: value })
    }
    expect(
      await g.sql(
        `select details -> 'fields' as fields from public.audit_log where subject_id = $1 and action = 'customer.changed'`,
        [id],
      ),
    ).toEqual([{ fields: [field] }, { fields: [field] }])
  })

  it('fills a blank when a duplicate is merged', async () => {
    const [one] = values()[field]
    const id = await create(known)
    const duplicate_id = await create({ ...known, [field]: one })
    await g.ask(boss, 'POST', `/api/customers/${id}/merge`, { duplicate_id })
    expect(await read(id)).toMatchObject({ [field]: one })
  })

  it.runIf(field !== 'tags')('is kept in a merge, or taken from the duplicate', async () => {
    const [one, other] = values()[field]
    const merged = async (fields: string[]) => {
      await g.sql(emptyTables('customers'))
      const id = await create({ ...known, [field]: one })
      const duplicate_id = await create({ ...known, [field]: other })
      const { status } = await g.ask(boss, 'POST', `/api/customers/${id}/merge`, { duplicate_id, fields })
      expect(status).toBe(200)
      return (await read(id))[field]
    }
    expect(await merged([])).toBe(GUEST_FIELDS[field].keepsBoth ? `${one}\n${other}` : one)
    expect(await merged([...SINGLE_FIELDS])).toBe(other)
  })

  it.runIf(field !== 'tags')('comes back to both when a merge is undone', async () => {
    const [one, other] = values()[field]
    const id = await create({ ...known, [field]: one })
    const duplicate_id = await create({ ...known, [field]: other })
    const merge = await g.ask(boss, 'POST', `/api/customers/${id}/merge`, { duplicate_id, fields: [field] })
    const { status } = await g.ask(boss, 'POST', `/api/customer-merges/${merge.body.data.merge_id}/undo`)
    expect(status).toBe(200)
    expect([(await read(id))[field], (await read(duplicate_id))[field]]).toEqual([one, other])
  })

  it('is on the card of floor staff only where the registry says so', async () => {
    const [one] = values()[field]
    const id = await create({ ...known, [field]: one })
    const { body } = await g.ask(boss, 'GET', `/api/service/guests/${id}`)
    expect(body.data).toMatchObject({ id })
    expect(field in body.data).toBe(GUEST_FIELDS[field].floor)
    if (GUEST_FIELDS[field].floor) expect(body.data[field]).toEqual(one)
  })

  it('has an example', () => expect(exampleCustomer).toHaveProperty(field))
})

const IMPORTED = FIELD_NAMES.filter((field) => GUEST_FIELDS[field].csv !== null)

describe.each(IMPORTED)('the column %s', (field) => {
  const cell = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))

  it('fills a blank of a known customer', async () => {
    const contact = field === 'email' ? 'phone' : 'email'
    const [one] = values()[field]
    const [address] = values()[contact]
    const id = await create({ [contact]: address })
    const columns = [contact, field] as const
    const csv = `${columns.map((name) => header[name]).join(';')}\n${cell(address)};${cell(one)}`
    expect((await importFile(csv)).body.data).toMatchObject({ updated: 1, error_count: 0 })
    expect(await read(id)).toMatchObject({ [field]: one })
    expect((await importFile(csv)).body.data).toMatchObject({ updated: 0, error_count: 0 })
  })
})

it('the export of the person has each field', async () => {
  const { body } = await g.ask(boss, 'GET', `/api/customers/${await create(first())}/export`)
  for (const field of FIELD_NAMES) expect.soft(body.customer[field], field).toEqual(first()[field])
})

it.each(['es', 'en'] as const)(
  'the exported list (%s) has a column of each field, and is imported again',
  async (language) => {
    await create(first())
    const before = await onlyOne()
    const response = await boss.request('GET', `/api/customers/export?language=${language}`)
    expect(response.status).toBe(200)
    const csv = await response.text()
    await g.sql(emptyTables('customers'))
    expect((await importFile(csv)).body.data).toMatchObject({ imported: 1, error_count: 0 })
    const after = await onlyOne()
    for (const field of IMPORTED) expect.soft(after[field], field).toEqual(before[field])
  },
)
