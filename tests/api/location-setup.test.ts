import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NOT_PLACED } from '@/lib/locations/plan'
import type { Hours, TableRecord } from '@/lib/locations/service-setup-schema'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let bound: Client
let waiter: Client
let stranger: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  bound = await g.hire('admin', 'Norte')
  waiter = await g.hire('operaciones')
  stranger = await signedIn(await g.other.person('super_admin'))
})
afterAll(() => g?.app.close())
beforeEach(() => g.sql(emptyTables('shifts', 'closed_days', 'dining_tables', 'reservations', 'audit_log')))

type Part = 'hours' | 'tables'
const path = (part: Part, place = 'Norte') => `/api/locations/${g.places[place]}/${part}`
const read = async (part: Part, client = boss, place = 'Norte') =>
  (await g.ask(client, 'GET', path(part, place))).body.data
const save = (part: Part, body: unknown, client = boss, place = 'Norte') =>
  g.ask(client, 'PUT', path(part, place), body)
const refused = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) })
const issue = (found: object) => ({
  status: 400,
  body: expect.objectContaining({ issues: [expect.objectContaining(found)] }),
})

const LUNCH = { name: 'Comida', weekdays: [1, 2, 3], opens: '13:00', closes: '16:00', capacity: 90 }
const DINNER = { name: 'Cena', weekdays: [1, 4, 5], opens: '20:00', closes: '00:30', capacity: null }
const CHRISTMAS = { day: '2026-12-25', name: 'Navidad' }
const HOURS: Hours = { shifts: [LUNCH, DINNER], closed_days: [CHRISTMAS, { day: '2026-12-26', name: null }] }
const EMPTY: Hours = { shifts: [], closed_days: [] }
const table = (name: string, zone: string | null = 'Sala', more: Partial<TableRecord> = {}): TableRecord => ({
  zone,
  name,
  capacity: 4,
  is_active: true,
  ...NOT_PLACED,
  ...more,
})

describe('hours', () => {
  it('are read back as they were saved, shifts by the hour they open and days in order', async () => {
    expect(await read('hours')).toEqual(EMPTY)
    const given = { shifts: [DINNER, LUNCH], closed_days: [...HOURS.closed_days].reverse() }
    expect(await save('hours', given)).toEqual({ status: 200, body: { data: HOURS } })
    expect(await read('hours', waiter)).toEqual(HOURS)
  })

  it('are replaced as a whole', async () => {
    await save('hours', HOURS)
    const next = { shifts: [{ ...DINNER, weekdays: [5, 6, 5] }], closed_days: [] }
    expect(await save('hours', next)).toMatchObject({ status: 200 })
    expect(await read('hours')).toEqual({ shifts: [{ ...DINNER, weekdays: [5, 6] }], closed_days: [] })
  })

  it('may end after midnight, and overlap there too', async () => {
    const late = { ...DINNER, name: 'Copas', opens: '00:15', closes: '03:00' }
    expect(await save('hours', { ...EMPTY, shifts: [DINNER, late] })).toEqual(
      issue({ path: 'shifts', code: 'overlap' }),
    )
    expect((await save('hours', { ...EMPTY, shifts: [DINNER, { ...late, opens: '00:30' }] })).status).toBe(
      200,
    )
    expect((await read('hours')).shifts.map(({ name }: { name: string }) => name)).toEqual(['Cena', 'Copas'])
  })

  it('that overlap on a day are refused, and nothing is lost', async () => {
    await save('hours', HOURS)
    const brunch = { ...LUNCH, name: 'Brunch', opens: '11:00', closes: '13:01' }
    const shifts = [LUNCH, brunch]
    expect(await save('hours', { ...EMPTY, shifts })).toEqual(issue({ path: 'shifts', code: 'overlap' }))
    expect(await read('hours')).toEqual(HOURS)
    expect((await save('hours', { ...EMPTY, shifts: [LUNCH, { ...brunch, weekdays: [6, 7] }] })).status).toBe(
      200,
    )
    expect((await save('hours', { ...EMPTY, shifts: [LUNCH, { ...brunch, closes: '13:00' }] })).status).toBe(
      200,
    )
  })

  it('with a name or a day twice are refused, and nothing is lost', async () => {
    await save('hours', HOURS)
    const twice = { ...LUNCH, weekdays: [7] }
    expect(await save('hours', { ...EMPTY, shifts: [LUNCH, twice] })).toEqual(refused(409, 'ALREADY_EXISTS'))
    const again = { ...CHRISTMAS, name: null }
    expect(await save('hours', { ...EMPTY, closed_days: [CHRISTMAS, again] })).toEqual(
      refused(409, 'ALREADY_EXISTS'),
    )
    expect(await read('hours')).toEqual(HOURS)
  })

  it.each([
    ['capacity', { capacity: 'noventa' }, 'wrong_type'],
    ['capacity', { capacity: 12.5 }, 'wrong_type'],
    ['capacity', { capacity: 0 }, 'too_small'],
    ['capacity', { capacity: 10_001 }, 'too_big'],
    ['name', { name: ' ' }, 'required'],
    ['weekdays', { weekdays: [] }, 'too_few'],
    ['weekdays.0', { weekdays: [8] }, 'too_big'],
    ['opens', { opens: '' }, 'invalid_format'],
    ['opens', { opens: '13:00 o así' }, 'invalid_format'],
    ['closes', { closes: '24:00' }, 'invalid_format'],
    ['closes', { closes: '13:00' }, 'ends_before_start'],
    ['closes', { closes: '12:00' }, 'ends_before_start'],
    ['closes', { opens: '05:30', closes: '06:30' }, 'ends_before_start'],
  ])('say at %s that %j is wrong', async (field, change, code) => {
    await save('hours', HOURS)
    const shifts = [DINNER, { ...LUNCH, ...change }]
    expect(await save('hours', { ...EMPTY, shifts })).toEqual(issue({ path: `shifts.1.${field}`, code }))
    expect(await read('hours')).toEqual(HOURS)
  })

  it.each([['2026-02-30'], ['1899-12-31'], ['mañana']])('say at the day that %j is none', async (day) => {
    const answer = await save('hours', { ...EMPTY, closed_days: [CHRISTMAS, { day, name: null }] })
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0]).toMatchObject({ path: 'closed_days.1.day' })
    expect(await read('hours')).toEqual(EMPTY)
  })
})

describe('tables', () => {
  const TABLES = [
    table('2'),
    table('10', 'Sala', { capacity: null }),
    table('1', 'Terraza', { is_active: false }),
    table('Barra', null),
  ]

  it('are read back as they were saved, by zone and as people count', async () => {
    expect(await read('tables')).toEqual([])
    const given = { tables: [...TABLES].reverse() }
    expect(await save('tables', given)).toEqual({ status: 200, body: { data: TABLES } })
    expect(await read('tables', waiter)).toEqual(TABLES)
    expect((await save('tables', { tables: [table('2')] })).status).toBe(200)
    expect(await read('tables')).toEqual([table('2')])
  })

  it('with a name twice are refused, and nothing is lost', async () => {
    await save('tables', { tables: TABLES })
    const answer = await save('tables', { tables: [table('7'), table('7', 'Terraza')] })
    expect(answer).toEqual(refused(409, 'ALREADY_EXISTS'))
    expect(await read('tables')).toEqual(TABLES)
  })

  const PLACED = [
    table('1', 'Sala', { plan_x: 0, plan_y: 29, shape: 'round', joinable: false }),
    table('2', 'Sala', { plan_x: 39, plan_y: 0, shape: 'rectangle', turned: true }),
  ]
  /** A table as a client that does not know the plan sends it. */
  const old = ({ zone, name, capacity, is_active }: TableRecord) => ({ zone, name, capacity, is_active })

  it('keep their place on the plan when a client sends none of it', async () => {
    expect(await save('tables', { tables: PLACED })).toEqual({ status: 200, body: { data: PLACED } })
    const sent = [...PLACED.map(old), old(table('3'))]
    expect((await save('tables', { tables: sent })).body.data).toEqual([...PLACED, table('3')])
    const one = { ...old(table('2', 'Terraza')), turned: false }
    await save('tables', { tables: [one] })
    expect(await read('tables')).toEqual([{ ...PLACED[1], zone: 'Terraza', turned: false }])
    // A table of another location by that name is another one.
    await save('tables', { tables: [one] }, boss, 'Sur')
    expect(await read('tables', boss, 'Sur')).toEqual([table('2', 'Terraza')])
  })

  it('go off the plan, and may overlap there: their size follows from what else is known of them', async () => {
    const both = ['1', '2'].map((name) => table(name, 'Sala', { plan_x: 4, plan_y: 4 }))
    expect((await save('tables', { tables: both })).body.data).toEqual(both)
    const off = both.map((each) => ({ ...each, plan_x: null, plan_y: null }))
    expect((await save('tables', { tables: off })).body.data).toEqual(off)
  })

  it('are known to the service with their plan, without those that are inactive', async () => {
    await save('tables', { tables: [...PLACED, table('3', 'Sala', { is_active: false })] })
    const { body } = await g.ask(waiter, 'GET', `/api/service?location_id=${g.places.Norte}`)
    expect(body.data.tables).toEqual(PLACED.map(({ is_active: _, ...each }) => each))
  })

  it.each([
    ['plan_y', { plan_x: 3 }, 'required'],
    ['plan_y', { plan_x: 3, plan_y: null }, 'required'],
    ['plan_y', { plan_x: null, plan_y: 3 }, 'required'],
    ['plan_x', { plan_x: 40, plan_y: 0 }, 'too_big'],
    ['plan_x', { plan_x: -1, plan_y: 0 }, 'too_small'],
    ['plan_y', { plan_x: 0, plan_y: 30 }, 'too_big'],
    ['plan_y', { plan_x: 0, plan_y: 1.5 }, 'wrong_type'],
    ['shape', { shape: 'oval' }, 'unknown_value'],
    ['turned', { turned: null }, 'wrong_type'],
    ['joinable', { joinable: 'yes' }, 'wrong_type'],
  ])('say at %s that %j is wrong', async (field, change, code) => {
    const answer = await save('tables', { tables: [old(table('1')), { ...old(table('2')), ...change }] })
    expect(answer).toEqual(issue({ path: `tables.1.${field}`, code }))
    expect(await read('tables')).toEqual([])
  })

  it.each([
    ['plan_x', '40, 0'],
    ['plan_x', '-1, 0'],
    ['plan_y', '0, 30'],
    ['plan', '3, null'],
    ['plan', 'null, 3'],
    ['shape', "0, 0, 'oval'"],
  ])('are refused by the database, too, by the check of %s: %s', async (check, values) => {
    const columns = ['plan_x', 'plan_y', 'shape'].slice(0, values.split(',').length)
    const written = g.sql(
      `insert into public.dining_tables (organization_id, location_id, name, ${columns})
       values ($1, $2, '1', ${values})`,
      [g.group.id, g.places.Norte],
    )
    await expect(written).rejects.toThrow(`dining_tables_${check}_check`)
  })

  it.each([
    ['capacity', { capacity: 'cuatro' }, 'wrong_type'],
    ['capacity', { capacity: 2.5 }, 'wrong_type'],
    ['capacity', { capacity: 1000 }, 'too_big'],
    ['name', { name: '' }, 'required'],
    ['name', { name: 'a\nb' }, 'control_characters'],
    ['zone', { zone: 'x'.repeat(101) }, 'too_long'],
  ])('say at %s that %j is wrong', async (field, change, code) => {
    const answer = await save('tables', { tables: [table('1'), { ...table('2'), ...change }] })
    expect(answer).toEqual(issue({ path: `tables.1.${field}`, code }))
    expect(await read('tables')).toEqual([])
  })
})

describe.each([
  ['hours', HOURS],
  ['tables', { tables: [table('1')] }],
] as const)('who saves the %s', (part, body) => {
  it('has to see the settings', async () => {
    expect(await save(part, body, waiter)).toEqual(refused(403, 'FORBIDDEN'))
    expect((await save(part, body)).status).toBe(200)
  })

  it('works at the location', async () => {
    const before = await read(part, boss, 'Sur')
    for (const client of [bound, stranger])
      expect(await save(part, body, client, 'Sur')).toEqual(refused(404, 'NOT_FOUND'))
    expect(await g.ask(bound, 'GET', path(part, 'Sur'))).toEqual(refused(404, 'NOT_FOUND'))
    expect(await g.ask(stranger, 'GET', path(part, 'Sur'))).toEqual(refused(404, 'NOT_FOUND'))
    expect(await read(part, boss, 'Sur')).toEqual(before)
    expect((await save(part, body, bound)).status).toBe(200)
    expect(await read(part, boss, 'Sur')).toEqual(before)
  })
})

describe('the audit log', () => {
  const logged = () =>
    g.sql(
      'select action, location_id::text as at, subject, details from public.audit_log order by created_at',
    )

  it('has what the hours were and are, and nothing when they stay', async () => {
    await save('hours', HOURS)
    await save('hours', HOURS)
    await save('hours', EMPTY)
    const entry = { action: 'location.hours_changed', at: g.places.Norte, subject: 'Norte' }
    expect(await logged()).toEqual([
      { ...entry, details: { before: EMPTY, after: HOURS } },
      { ...entry, details: { before: HOURS, after: EMPTY } },
    ])
  })

  it('has what differs of the tables that changed, and nothing when they stay', async () => {
    const placed = { ...table('2'), plan_x: 0, plan_y: 3 }
    await save('tables', { tables: [table('1'), placed] })
    await save('tables', { tables: [table('1'), placed] })
    await save('tables', { tables: [table('1', 'Terraza'), placed, table('3')] })
    await save('tables', { tables: [table('1', 'Terraza'), { ...placed, plan_x: 5 }] })
    const all = {
      ...{ zone: 'Sala', capacity: 4, is_active: true },
      ...{ plan_column: null, plan_row: null, shape: 'square', turned: false, joinable: true },
    }
    const entry = { action: 'location.tables_changed', at: g.places.Norte, subject: 'Norte' }
    const change = (before: object[], after: object[]) => ({
      ...entry,
      details: { before: { tables: before }, after: { tables: after } },
    })
    expect(await logged()).toEqual([
      change(
        [],
        [
          { ...all, name: '1' },
          { ...all, name: '2', plan_column: 1, plan_row: 4 },
        ],
      ),
      change(
        [{ name: '1', zone: 'Sala' }],
        [
          { ...all, name: '3' },
          { name: '1', zone: 'Terraza' },
        ],
      ),
      change(
        [
          { name: '2', plan_column: 1 },
          { ...all, name: '3' },
        ],
        [{ name: '2', plan_column: 6 }],
      ),
    ])
  })

  it('has the tables in the order in which people count them, as their list', async () => {
    const names = ['B10', 'A1', 'B2', '10', '9']
    await save('tables', { tables: [table('1', null), ...names.map((name) => table(name))] })
    const inOrder = ['9', '10', 'A1', 'B2', 'B10', '1']
    const [{ details }] = (await logged()) as [{ details: { after: { tables: TableRecord[] } } }]
    expect(details.after.tables.map(({ name }) => name)).toEqual(inOrder)
    expect((await read('tables')).map(({ name }: TableRecord) => name)).toEqual(inOrder)
  })
})

describe('the sync', () => {
  it('adds the tables that the PMS names, once, with the largest party as their capacity', async () => {
    await g.sync([
      { id: '1', table_names: ['12'], name_zone: 'Terraza', pax: 2 },
      { id: '2', table_names: ['12'], name_zone: 'Terraza', pax: 5 },
      { id: '3', table_names: ['3'] },
      { id: '4' },
    ])
    const learned = [table('12', 'Terraza', { capacity: 5 }), table('3', null, { capacity: 2 })]
    expect(await read('tables')).toEqual(learned)
    await g.sync([{ id: '1', table_names: ['12'], name_zone: 'Sala', pax: 8 }])
    expect(await read('tables')).toEqual(learned)
    expect(await read('tables', boss, 'Sur')).toEqual([])
  })

  it('does not touch a table that staff edited or deactivated', async () => {
    await g.sync([{ id: '1', table_names: ['12'], name_zone: 'Terraza' }])
    const edited = [table('12', 'Patio', { capacity: 6, is_active: false })]
    await save('tables', { tables: edited })
    await g.sync([{ id: '1', table_names: ['12'], name_zone: 'Terraza', pax: 9 }])
    await g.sync([{ id: '2', table_names: ['12'], name_zone: 'Terraza' }])
    expect(await read('tables')).toEqual(edited)
  })

  it('adds only what staff can save again', async () => {
    await g.sql(
      `insert into public.dining_tables (organization_id, location_id, name)
       select $1, $2, 'x' || n from generate_series(1, 998) as n`,
      [g.group.id, g.places.Norte],
    )
    await g.sync([
      { id: '1', table_names: ['a\nb'] },
      { id: '2', table_names: ['c'], name_zone: 'Sala\tAlta' },
      ...['d', 'e', 'f'].map((name) => ({ id: name, table_names: [name] })),
    ])
    const tables: TableRecord[] = await read('tables')
    expect(tables.filter(({ name }) => !name.startsWith('x'))).toEqual([
      table('c', 'Sala Alta', { capacity: 2 }),
      table('d', null, { capacity: 2 }),
    ])
    expect((await save('tables', { tables })).status).toBe(200)
  })
})
