import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseRow } from '@/lib/pms/parse-row'
import { createGroup, type Group, setRules, stackClient } from '../factories/group'
import { emptyTables } from '../support/empty-tables'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Parejas', [
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
  ])
  await setRules(stack, group.locations[0]?.id ?? '', {
    Bronce: { min_spend: 0, min_visits: 1 },
    Plata: { min_spend: 50, min_visits: 1 },
  })
})

beforeEach(() => stack.sql(emptyTables('reservations', 'customers')))
afterAll(() => stack?.close())

const BASE = { date: '2026-05-01', time: '21:00', pax: 2, status: 'finished' }

/** Saves PMS rows for a location (0 Norte, 1 Sur) as the sync does. */
async function save(rows: Record<string, unknown>[], location = 0) {
  const parsed = rows.map((row) => parseRow({ ...BASE, ...row }))
  const p_rows = parsed.map((one) => (one.ok ? { ...one.row } : expect.fail('malformed row in a test')))
  const parameters = { p_location: group.locations[location]?.id ?? '', p_rows }
  return (await stackClient(stack, 'service').rpc('sync_reservations', parameters).throwOnError()).data
}

const customers = () =>
  stack.sql(
    `select email, phone, concat_ws(' ', first_name, last_name) as name, total_visits as visits,
       total_spend::float as spend from public.customers order by email nulls last, phone`,
  )
const owners = () =>
  stack.sql(
    `select r.external_id as id, coalesce(c.email, c.phone) as who from public.reservations r
     left join public.customers c on c.id = r.customer_id order by 1`,
  )

describe('matching', () => {
  it('finds the same person behind e-mails in other case and phones in four formats', async () => {
    const phones = ['+34 612 345 678', '612345678', '0034612345678', '612-34-56-78']
    await save(
      phones.map((client_phone, n) => ({
        id: `p${n}`,
        client_phone,
        client_name: 'Ana',
        client_surname: 'Ruiz',
      })),
    )
    await save([
      { id: 'e1', client_email: ' Luis@Correo.example', client_name: 'Luis' },
      { id: 'e2', client_email: 'LUIS@CORREO.EXAMPLE ', client_name: 'Luis' },
    ])
    expect(await customers()).toEqual([
      { email: 'luis@correo.example', phone: null, name: 'Luis', visits: 2, spend: 80 },
      { email: null, phone: '+34612345678', name: 'Ana Ruiz', visits: 4, spend: 160 },
    ])
  })

  it('matches by e-mail before phone', async () => {
    await save([
      { id: '1', client_email: 'ana@correo.example', client_phone: '612345678' },
      { id: '2', client_email: 'eva@correo.example', client_phone: '698765432' },
    ])
    await save([{ id: '3', client_email: 'eva@correo.example', client_phone: '612345678' }])
    expect((await owners())[2]).toEqual({ id: '3', who: 'eva@correo.example' })
  })

  it('keeps two people apart who share a phone but have an e-mail each', async () => {
    await save([
      { id: '1', client_email: 'ana@correo.example', client_phone: '612345678', client_name: 'Ana' },
    ])
    await save([
      { id: '2', client_email: 'leo@correo.example', client_phone: '612345678', client_name: 'Leo' },
    ])
    expect((await customers()).map(({ email, name }) => [email, name])).toEqual([
      ['ana@correo.example', 'Ana'],
      ['leo@correo.example', 'Leo'],
    ])
  })

  it('gives a booking with only a phone to the customer of that name, else to the oldest record, whose data stays', async () => {
    await save([
      { id: '1', client_email: 'ana@correo.example', client_phone: '612345678', client_name: 'Ana' },
    ])
    await save([
      { id: '2', client_email: 'leo@correo.example', client_phone: '612345678', client_name: 'Leo' },
    ])
    await save([{ id: '3', client_phone: '612345678', client_name: 'LEO' }])
    await save([{ id: '4', client_phone: '612345678', client_name: 'Marta' }])
    expect((await owners()).slice(2)).toEqual([
      { id: '3', who: 'leo@correo.example' },
      { id: '4', who: 'ana@correo.example' },
    ])
    expect((await customers()).map(({ name }) => name)).toEqual(['Ana', 'Leo'])
  })

  it('by phone fills blanks: the e-mail of someone known only by phone, and a missing name', async () => {
    await save([{ id: '1', client_phone: '612345678' }])
    await save([
      { id: '2', client_phone: '612345678', client_email: 'ana@correo.example', client_name: 'Ana' },
    ])
    expect(await customers()).toEqual([
      { email: 'ana@correo.example', phone: '+34612345678', name: 'Ana', visits: 2, spend: 80 },
    ])
  })

  it('makes no customer without contact data and keeps the name on the reservation', async () => {
    await save([
      { id: '1', client_name: 'Sin', client_surname: 'Reserva', client_email: 'no tiene', client_phone: '0' },
    ])
    expect(await customers()).toEqual([])
    const [row] = await stack.sql('select customer_name, customer_id from public.reservations')
    expect(row).toEqual({ customer_name: 'Sin Reserva', customer_id: null })
  })

  const aliases = () =>
    stack.sql(
      `select a.email, c.email as owner from public.customer_aliases a
       join public.customers c on c.id = a.customer_id order by 1`,
    )
  const ana = { client_phone: '612345678', client_name: 'Ana', client_surname: 'García López' }
  /** The same person as other clerks type her in. */
  const SPELLINGS = [
    { client_name: 'García López', client_surname: 'Ana' },
    { client_name: 'ANA', client_surname: 'GARCIA  LOPEZ' },
    { client_name: 'García López, Ana', client_surname: '' },
    { client_name: 'López', client_surname: 'ana garcía' },
  ]

  it.each(SPELLINGS)(
    'takes a new e-mail with the same phone and name for the same person: %j',
    async (spelling) => {
      await save([{ ...ana, id: '1', client_email: 'ana@correo.example' }])
      await save([{ ...ana, ...spelling, id: '2', client_email: 'ana@trabajo.example' }])
      expect(await customers()).toEqual([
        {
          email: 'ana@correo.example',
          phone: '+34612345678',
          name: 'Ana García López',
          visits: 2,
          spend: 80,
        },
      ])
      expect(await aliases()).toEqual([{ email: 'ana@trabajo.example', owner: 'ana@correo.example' }])
      await save([{ id: '3', client_email: 'ana@trabajo.example', client_name: 'Leo' }])
      expect(await customers()).toMatchObject([{ name: 'Ana García López', visits: 3 }])
    },
  )

  it('takes two such e-mails in one answer of the PMS for one person, under the first', async () => {
    const rows = SPELLINGS.map((spelling, n) => ({
      ...ana,
      ...spelling,
      id: `${n}`,
      client_email: `ana${n}@correo.example`,
    }))
    const leo = { id: '9', client_email: 'leo@correo.example', client_phone: '612345678', client_name: 'Leo' }
    expect(await save([...rows, leo])).toMatchObject({ customers_created: 2 })
    expect((await customers()).map(({ email, visits }) => [email, visits])).toEqual([
      ['ana0@correo.example', 4],
      ['leo@correo.example', 1],
    ])
    expect(await aliases()).toEqual(
      [1, 2, 3].map((n) => ({ email: `ana${n}@correo.example`, owner: 'ana0@correo.example' })),
    )
    const versions = () =>
      stack.sql(
        'select xmin::text from public.customers union all select xmin::text from public.customer_aliases',
      )
    const before = await versions()
    expect(await save([...rows, leo])).toMatchObject({ created: 0, updated: 0, customers_created: 0 })
    expect(await versions()).toEqual(before)
  })

  it('gives the first of two new e-mails to the same person without one, and keeps the other as an alias', async () => {
    await save([{ ...ana, id: '1' }])
    await save([
      { ...ana, id: '2', client_email: 'ana@correo.example' },
      { ...ana, id: '3', client_email: 'ana@trabajo.example', date: '2026-05-02' },
      { id: '4', client_email: 'leo@correo.example', client_phone: '612345678', client_name: 'Leo' },
    ])
    expect((await customers()).map(({ email, visits }) => [email, visits])).toEqual([
      ['ana@correo.example', 3],
      ['leo@correo.example', 1],
    ])
    expect(await aliases()).toEqual([{ email: 'ana@trabajo.example', owner: 'ana@correo.example' }])
  })

  it('keeps people without a name apart, and the same name on another phone', async () => {
    await save([{ id: '1', client_email: 'uno@correo.example', client_phone: '612345678' }])
    await save([{ id: '2', client_email: 'dos@correo.example', client_phone: '612345678' }])
    await save([{ ...ana, id: '3', client_email: 'ana@correo.example', client_phone: '698765432' }])
    await save([{ ...ana, id: '4', client_email: 'ana@trabajo.example', client_phone: '655555555' }])
    expect(await customers()).toHaveLength(4)
    expect(await aliases()).toEqual([])
  })

  it('finds the same person by a former phone', async () => {
    await save([{ ...ana, id: '1', client_email: 'ana@correo.example' }])
    await stack.sql(
      `insert into public.customer_aliases (organization_id, customer_id, phone)
       select organization_id, id, '+34698765432' from public.customers`,
    )
    await save([{ ...ana, id: '2', client_email: 'ana@trabajo.example', client_phone: '698765432' }])
    await save([
      { ...ana, id: '3', client_email: 'leo@correo.example', client_phone: '698765432', client_name: 'Leo' },
    ])
    expect(await owners()).toEqual([
      { id: '1', who: 'ana@correo.example' },
      { id: '2', who: 'ana@correo.example' },
      { id: '3', who: 'leo@correo.example' },
    ])
  })

  it('never looks into another organization', async () => {
    const other = await createGroup(stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
    await stack.sql(
      `insert into public.customers (organization_id, email, phone) values ($1, 'ana@correo.example', '+34612345678')`,
      [other.id],
    )
    await save([{ id: '1', client_email: 'ana@correo.example', client_phone: '612345678' }])
    const rows = await stack.sql(
      'select organization_id::text as o, total_visits as v from public.customers order by v',
    )
    expect(rows).toEqual([
      { o: other.id, v: 0 },
      { o: group.id, v: 1 },
    ])
  })

  it('refuses an unknown location', async () => {
    const parameters = { p_location: group.id, p_rows: [] }
    const { error } = await stackClient(stack, 'service').rpc('sync_reservations', parameters)
    expect(error?.message).toContain('unknown location')
  })
})

describe('profiles', () => {
  it('take name and phone of the latest booking under the own e-mail', async () => {
    await save([
      {
        id: '2',
        date: '2026-05-03',
        client_email: 'ana@correo.example',
        client_phone: '698765432',
        client_name: 'Ana',
        client_surname: 'Ruiz Gil',
      },
      {
        id: '1',
        date: '2026-05-02',
        client_email: 'ana@correo.example',
        client_phone: '612345678',
        client_name: 'Ana',
        client_surname: 'Ruiz',
      },
    ])
    expect(await customers()).toMatchObject([{ phone: '+34698765432', name: 'Ana Ruiz Gil' }])
    await save([
      {
        id: '3',
        date: '2026-05-04',
        client_email: 'ana@correo.example',
        client_name: 'ANA',
        client_surname: 'RUIZ GIL',
      },
    ])
    expect(await customers()).toMatchObject([{ phone: '+34698765432', name: 'Ana Ruiz Gil' }])
  })

  it('are not overwritten by bookings that did not change', async () => {
    const rows = [{ id: '1', client_email: 'ana@correo.example', client_name: 'Ana' }]
    await save(rows)
    await stack.sql(`update public.customers set first_name = 'Anabel'`)
    expect(await save(rows)).toMatchObject({ created: 0, updated: 0 })
    await save([{ ...rows[0], status: 'seated' }])
    expect(await customers()).toMatchObject([{ name: 'Anabel' }])
  })

  it('are not touched by a booking with nothing new', async () => {
    const guest = { client_email: 'ana@correo.example', client_phone: '612345678', client_name: 'Ana' }
    await save([{ ...guest, id: '1' }])
    const version = () => stack.sql('select xmin::text from public.customers')
    const before = await version()
    expect(await save([{ ...guest, id: '2', status: 'cancelled' }])).toMatchObject({ created: 1 })
    expect(await version()).toEqual(before)
  })

  it('of someone erased do not come back with the same booking', async () => {
    const rows = [{ id: '1', client_email: 'ana@correo.example' }]
    await save(rows)
    await stack.sql('delete from public.customers')
    await save(rows)
    await save([{ ...rows[0], notes: 'Ventana' }])
    expect(await customers()).toEqual([])
  })
})

describe('reservations', () => {
  it('of duplicate ids keep the last', async () => {
    const counts = await save([
      { id: '1', pax: 2 },
      { id: '1', pax: 5 },
    ])
    expect(counts).toMatchObject({ created: 1, updated: 0 })
    expect(await stack.sql('select party_size from public.reservations')).toEqual([{ party_size: 5 }])
  })

  it.each([
    [{ notes: 'Ventana' }, 'notes', 'Ventana'],
    [{ zone_name: 'Terraza' }, 'zone_name', 'Terraza'],
    [{ table_name: '7' }, 'table_name', '7'],
    [{ time: '21:30' }, "to_char(reservation_time, 'HH24:MI')", '21:30'],
    [{ date: '2026-05-02' }, 'reservation_date::text', '2026-05-02'],
    [{ pax: 3 }, 'party_size', 3],
    [{ status: 'no_show' }, 'status', 'no_show'],
    [{ client_name: 'Eva' }, 'customer_name', 'Eva'],
    [{ client_email: 'eva@correo.example' }, 'customer_email', 'eva@correo.example'],
    [{ client_phone: '698765432' }, 'customer_phone', '+34698765432'],
  ])('of which only %j changed are updated', async (change, column, value) => {
    await save([{ id: '1' }])
    expect(await save([{ id: '1', ...change }])).toMatchObject({ created: 0, updated: 1 })
    expect(await stack.sql(`select ${column} as value from public.reservations`)).toEqual([{ value }])
    expect(await save([{ id: '1', ...change }])).toMatchObject({ created: 0, updated: 0 })
  })

  it('with an unknown status keep the one they have; new ones are pending', async () => {
    await save([{ id: '1', status: 'seated' }])
    const counts = await save([
      { id: '1', status: '77' },
      { id: '2', status: '77' },
    ])
    expect(counts).toMatchObject({ created: 1, updated: 1 })
    expect(
      await stack.sql('select status, pms_status from public.reservations order by external_id'),
    ).toEqual([
      { status: 'seated', pms_status: '77' },
      { status: 'pending', pms_status: '77' },
    ])
  })

  it('whose contact was corrected move to the other customer, and both are recounted', async () => {
    await save([
      { id: '1', client_email: 'ana@correo.exmaple' },
      { id: '2', client_email: 'ana@correo.example' },
    ])
    await save([{ id: '1', client_email: 'ana@correo.example' }])
    expect((await customers()).map(({ email, visits, spend }) => [email, visits, spend])).toEqual([
      ['ana@correo.example', 2, 80],
      ['ana@correo.exmaple', 0, 0],
    ])
  })

  it('whose contact becomes an unknown one get a new customer, and none when it is removed', async () => {
    await save([
      { id: '1', client_email: 'ana@correo.example' },
      { id: '2', client_email: 'ana@correo.example' },
    ])
    await save([
      { id: '1', client_email: 'eva@correo.example' },
      { id: '2', client_email: '' },
    ])
    expect(await owners()).toEqual([
      { id: '1', who: 'eva@correo.example' },
      { id: '2', who: null },
    ])
    expect((await customers()).map(({ visits }) => visits)).toEqual([0, 1])
  })

  it('that another location sends as well stay with the one that has them', async () => {
    await save([{ id: '1', client_email: 'ana@correo.example' }])
    expect(await save([{ id: '1', client_email: 'eva@correo.example' }], 1)).toEqual({
      ...{ created: 0, updated: 0, customers: 0, customers_created: 0, bad_emails: [] },
      held_elsewhere: ['1'],
    })
    const rows = await stack.sql(
      'select l.name, r.customer_email from public.reservations r join public.locations l on l.id = r.location_id',
    )
    expect(rows).toEqual([{ name: 'Norte', customer_email: 'ana@correo.example' }])
    expect((await customers()).map(({ email }) => email)).toEqual(['ana@correo.example'])
  })

  it('after midnight count for the service of the day before', async () => {
    await save([
      { id: '1', date: '2026-05-02', time: '00:30' },
      { id: '2', date: '2026-05-02', time: '06:00' },
    ])
    const rows = await stack.sql(
      'select service_date::text as day from public.reservations order by external_id',
    )
    expect(rows).toEqual([{ day: '2026-05-01' }, { day: '2026-05-02' }])
  })
})

describe('statistics and tiers', () => {
  const guest = { client_email: 'ana@correo.example' }

  it('count visits; a missing amount is party size × average spend, nothing without an average', async () => {
    await save([
      { ...guest, id: '1', pax: 3 },
      { ...guest, id: '2', pax: 3, status: 'cancelled' },
      { ...guest, id: '3', pax: 3, status: 'no_show' },
      { ...guest, id: '4', pax: 3, status: 'confirmed' },
    ])
    await save([{ ...guest, id: '5', pax: 9 }], 1)
    expect(await customers()).toMatchObject([{ visits: 3, spend: 120 }])
    await stack.sql(`update public.reservations set total_amount = 99.5 where external_id = '1'`)
    await save([{ ...guest, id: '6' }])
    expect(await customers()).toMatchObject([{ visits: 4, spend: 199.5 }])
  })

  it('leave out reservations that an import made', async () => {
    await save([{ ...guest, id: '1' }])
    await stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date,
         reservation_time, party_size, status, source)
       select organization_id, $1, id, '2026-05-09', '12:00', 50, 'completed', 'import' from public.customers`,
      [group.locations[1]?.id],
    )
    await save([{ ...guest, id: '2' }])
    expect(await customers()).toMatchObject([{ visits: 2, spend: 80 }])
  })

  it('put the customer where most reservations are; the latest wins a tie', async () => {
    const home = () =>
      stack.sql('select l.name from public.customers c join public.locations l on l.id = c.location_id')
    await save([{ ...guest, id: '1', date: '2026-05-01' }])
    await save([{ ...guest, id: '2', date: '2026-05-02' }], 1)
    expect(await home()).toEqual([{ name: 'Sur' }])
    await save([{ ...guest, id: '3', date: '2026-04-02' }])
    expect(await home()).toEqual([{ name: 'Norte' }])
  })

  it('raise a tier by the rules of that location and never take it back', async () => {
    const tier = () =>
      stack.sql(
        'select t.name from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id',
      )
    await save([{ ...guest, id: '1' }])
    expect(await tier()).toEqual([{ name: 'Bronce' }])
    await save([{ ...guest, id: '2' }])
    expect(await tier()).toEqual([{ name: 'Plata' }])
    await save([{ ...guest, id: '2', status: 'cancelled' }])
    expect(await customers()).toMatchObject([{ visits: 1, spend: 40 }])
    expect(await tier()).toEqual([{ name: 'Plata' }])
  })
})
