import { describe, expect, it } from 'vitest'
import { stayBody } from '@/components/locations/stay-fields'
import { suggestedWait } from '@/components/service/suggested-wait'
import { clockOf, spanOf, usualStay } from '@/components/service/table-model'
import { isFree, tableStates } from '@/components/service/table-states'
import { rangeOf, tablesDay } from '@/components/service/tables-day'
import { NOT_PLACED } from '@/lib/locations/plan'
import { tableNames } from '@/lib/reservations/table-names'
import type { Party, Service } from '@/lib/service/schema'

const PLACE = { id: 'l', name: 'Norte', timezone: 'Europe/Madrid', stay_minutes: null }
const NOTHING: Party = {
  ...{
    id: '',
    time: '21:00',
    shift_id: 'dinner',
    name: null,
    phone: null,
    readable_phone: null,
    party_size: 4,
    status: 'confirmed',
  },
  ...{
    table_name: null,
    tables: [],
    joined_to: null,
    zone_name: null,
    arrived_at: null,
    seated_at: null,
    finished_at: null,
  },
  ...{
    walk_in: false,
    late_minutes: null,
    from_pms: false,
    notes: null,
    customer_id: null,
    customer_notes: null,
    tags: [],
    tier: null,
  },
  ...{
    vip: false,
    birthday_in: null,
    first_visit: false,
    allergies: [],
    facts: [],
    suggested: [],
    no_shows: 0,
    usual_table: null,
    risk: null,
  },
}
const party = (id: string, changes: Partial<Party> = {}): Party => ({
  ...NOTHING,
  ...{ id, name: id, tables: tableNames(changes.table_name) },
  ...changes,
})
const TABLES = [
  { name: '1', zone: 'Sala', capacity: 2 },
  { name: '4', zone: 'Sala', capacity: 4 },
  { name: '5', zone: 'Sala', capacity: 4 },
  { name: '8', zone: 'Terraza', capacity: 8 },
].map((table) => ({ ...NOT_PLACED, ...table }))
const DINNER = { id: 'dinner', name: 'Cena', opens: '20:00', closes: '00:30', capacity: 40 }
const service = (parties: Party[], changes: Partial<Service> = {}): Service => ({
  ...{ location: PLACE, day: '2026-11-20', closed: null, closings: [] },
  ...{ at: '2026-11-20T20:00:00.000Z', shifts: [DINNER], tables: TABLES, waiting: [], parties },
  ...changes,
})
/** An instant of the evening by the local time. */
const at = (clock: string) => new Date(`2026-11-20T${clock}:00+01:00`).toISOString()
const clocks = (span: { from: number; until: number } | null) =>
  span && `${clockOf(span.from)}–${clockOf(span.until)}`
const minute = (clock: string) => spanOf(party('x', { time: clock }), PLACE, null)?.from ?? 0

describe('the time a party is at its table', () => {
  it('is the usual stay of its size from its time, past midnight, too', () => {
    expect([1, 2, 3, 4, 5, 99, 200].map((size) => usualStay(size))).toEqual([90, 90, 120, 120, 150, 150, 150])
    expect([1, 2, 3, 8, 9].map((size) => usualStay(size, { 8: 60, 2: 45 }))).toEqual([45, 45, 60, 60, 60])
    expect(clocks(spanOf(party('a', { time: '23:30' }), PLACE, null))).toBe('23:30–01:30')
  })

  it('is what the location says; the usual stays are null, a part of them or another number is not', () => {
    const typed = (stays: Record<string, string>) => {
      const fields = new FormData()
      fields.set('name', 'Norte')
      for (const [size, minutes] of Object.entries(stays)) fields.set(`stay_${size}`, minutes)
      return stayBody(fields, 'es')
    }
    expect(typed({ 2: '90', 4: ' 120 ', 99: '150' })).toBeNull()
    expect(typed({ 2: '90', 4: '120' })).toEqual({ 2: 90, 4: 120 })
    expect(typed({ 2: '90', 4: '120', 99: '180' })).toEqual({ 2: 90, 4: 120, 99: 180 })
    expect(typed({ 2: 'una hora' })).toEqual({ 2: 'una hora' })
  })

  it('begins when it was seated, lasts while it sits, and ends when it finished', () => {
    const sits = party('a', { status: 'seated', seated_at: at('21:20') })
    expect(clocks(spanOf(sits, PLACE, minute('21:30')))).toBe('21:20–23:20')
    expect(clocks(spanOf(sits, PLACE, minute('23:40')))).toBe('21:20–23:55')
    const gone = { ...sits, status: 'completed' as const, finished_at: at('22:05') }
    expect(clocks(spanOf(gone, PLACE, minute('23:40')))).toBe('21:20–22:05')
  })

  it('moves with a delay that is still waited for, and is none for who does not come', () => {
    const late = party('a', { time: '21:00' })
    expect(clocks(spanOf(late, PLACE, minute('21:25')))).toBe('21:00–23:25')
    expect(clocks(spanOf(late, PLACE, minute('23:00')))).toBe('21:00–23:00')
    for (const status of ['cancelled', 'no_show'] as const)
      expect(spanOf(party('a', { status }), PLACE, null)).toBeNull()
  })
})

describe('the free tables', () => {
  const free = (parties: Party[], size: number, when?: { at?: string; moved?: Party[] }) =>
    tableStates(service(parties), '20:00', size, when)
      .filter(isFree)
      .map(({ name }) => name)

  it('come smallest first, without those too small', () => {
    expect(free([], 2)).toEqual(['1', '4', '5', '8'])
    expect(free([], 3)).toEqual(['4', '5', '8'])
    expect(free([], 9)).toEqual([])
  })

  it('are not those that someone sits at or has booked during the stay, to the minute', () => {
    const parties = [
      party('sits', { status: 'seated', seated_at: at('19:30'), table_name: '4' }),
      party('later', { time: '21:59', table_name: '5' }),
    ]
    expect(free(parties, 4)).toEqual(['8'])
    expect(free([party('later', { time: '22:00', table_name: '5' })], 4)).toEqual(['4', '5', '8'])
    expect(free(parties, 4, { at: '00:10' })).toEqual(['4', '5', '8'])
  })

  it('are those of who left, did not come, or is the party itself', () => {
    const parties = [
      party('gone', { status: 'completed', table_name: '4' }),
      party('never', { status: 'no_show', table_name: '5' }),
      party('self', { time: '20:30', table_name: '8' }),
    ]
    expect(free(parties, 4, { moved: parties.slice(2) })).toEqual(['4', '5', '8'])
  })

  it('name who is in the way and when, at both of two joined tables', () => {
    const states = tableStates(service([party('later', { time: '21:00', table_name: '4+5' })]), '20:00', 4)
    const clashes = Object.fromEntries(states.map((state) => [state.name, state.clashes.map(({ id }) => id)]))
    expect(clashes).toEqual({ '1': [], '4': ['later'], '5': ['later'], '8': [] })
  })

  it('are known for another day without a present', () => {
    const states = tableStates(service([party('x', { time: '21:00', table_name: '4' })]), null, 4, {
      at: '22:00',
    })
    expect(states.filter(isFree).map(({ name }) => name)).toEqual(['5', '8'])
  })
})

describe('the suggested wait', () => {
  const sitting = (table: string, since: string) =>
    party(`at ${table}`, { status: 'seated', seated_at: at(since), table_name: table })
  const full = [sitting('1', '20:00'), sitting('4', '20:10'), sitting('5', '20:30'), sitting('8', '21:00')]
  const waits = (party_size: number) => ({
    ...{ id: String(Math.random()), name: 'x', phone: null, party_size, quoted_minutes: null, notes: null },
    ...{ joined_at: at('21:00'), called_at: null, message: null, offer: null, readable_phone: null },
  })

  it('is nothing while a table that fits is free, and unknown without one that fits', () => {
    expect(suggestedWait(service([]), '21:00', 4)).toBe(0)
    expect(suggestedWait(service([]), '21:00', 9)).toBeNull()
    expect(suggestedWait(service([], { tables: [] }), '21:00', 2)).toBeNull()
  })

  it('is until the first table that fits is left, in steps of five', () => {
    expect(suggestedWait(service(full), '21:03', 4)).toBe(70)
    expect(suggestedWait(service(full), '21:03', 7)).toBe(120)
  })

  it('lets those go first who wait already', () => {
    expect(suggestedWait(service(full, { waiting: [waits(4)] }), '21:00', 4)).toBe(90)
    expect(suggestedWait(service(full, { waiting: [waits(4), waits(4)] }), '21:00', 4)).toBe(120)
  })

  it('keeps a table for reservations that have none yet, and before one that is booked', () => {
    const tables = [{ ...NOT_PLACED, name: '4', zone: null, capacity: 4 }]
    expect(suggestedWait(service([party('a', { time: '21:30' })], { tables }), '21:00', 4)).toBe(150)
    const booked = party('a', { time: '22:30', table_name: '4' })
    expect(suggestedWait(service([booked], { tables }), '21:00', 2)).toBe(0)
    expect(suggestedWait(service([booked], { tables }), '21:01', 2)).toBe(210)
  })
})

describe('the board of tables', () => {
  const bars = (row: { bars: { party: { id: string }; line: number; clashes: boolean }[] } | undefined) =>
    row?.bars.map(({ party: { id }, line, clashes }) => `${id} ${line}${clashes ? ' !' : ''}`)

  it('has the parties at their tables by zone, joined ones at both, the others on top', () => {
    const day = tablesDay(
      service([
        party('joined', { table_name: '4+5' }),
        party('none'),
        party('elsewhere', { table_name: 'Z9' }),
        party('never', { status: 'cancelled', table_name: '1' }),
      ]),
      'dinner',
      null,
    )
    expect(day.zones.map(({ zone, rows }) => [zone, rows.map(({ name }) => name)])).toEqual([
      ['Sala', ['1', '4', '5']],
      ['Terraza', ['8']],
    ])
    expect(day.zones[0]?.rows.map(bars)).toEqual([[], ['joined 0'], ['joined 0']])
    expect(bars(day.without)).toEqual(['none 0', 'elsewhere 1'])
    expect(clocks(day.range)).toBe('20:00–00:30')
  })

  it('puts who is at one table at the same time in two lines, and says so', () => {
    const parties = [
      party('a', { time: '20:00', table_name: '4' }),
      party('b', { time: '21:00', table_name: '4' }),
      party('c', { time: '22:00', table_name: '4', party_size: 2 }),
    ]
    const [, row] = tablesDay(service(parties), 'dinner', null).zones[0]?.rows ?? []
    expect(bars(row)).toEqual(['a 0 !', 'b 1 !', 'c 0 !'])
    expect(row?.lines).toBe(2)
    const apart = tablesDay(service([parties[0] as Party, parties[2] as Party]), 'dinner', null)
    expect(bars(apart.zones[0]?.rows[1])).toEqual(['a 0', 'c 0'])
  })

  it('shows a shift from its opening to its close in whole quarters, else what the parties take', () => {
    const odd = { ...DINNER, opens: '19:50', closes: '23:20' }
    expect(clocks(rangeOf({ shifts: [odd] }, 'dinner', []))).toBe('19:45–23:30')
    expect(
      clocks(tablesDay(service([party('a', { time: '13:10' })], { shifts: [] }), null, null).range),
    ).toBe('13:00–15:15')
    expect(clocks(tablesDay(service([], { shifts: [] }), null, null).range)).toBe('12:00–00:00')
  })

  it('shows who comes before a shift opens or after it closes', () => {
    const early = party('early', { time: '19:05', table_name: '4' })
    const late = party('late', { time: '00:40', table_name: '5' })
    expect(clocks(tablesDay(service([early]), 'dinner', null).range)).toBe('19:00–00:30')
    const day = tablesDay(service([late]), 'dinner', null)
    expect(clocks(day.range)).toBe('20:00–02:45')
    expect(day.zones[0]?.rows.flatMap(bars)).toEqual(['late 0'])
  })
})
