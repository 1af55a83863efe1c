import { describe, expect, it } from 'vitest'
import type { BoardParty, BoardService } from '@/components/service/board-model'
import { freedTables } from '@/components/service/freed-tables'
import { NOT_PLACED } from '@/lib/locations/plan'
import { tableNames } from '@/lib/reservations/table-names'
import type { WaitingParty } from '@/lib/waitlist/schema'

const gone = (table_name: string | null, more: Partial<BoardParty> = {}): BoardParty => ({
  ...{
    id: `gone ${table_name} ${more.time}`,
    time: '21:00',
    shift_id: null,
    name: 'García',
    phone: null,
    readable_phone: null,
  },
  ...{
    party_size: 4,
    status: 'cancelled',
    table_name,
    tables: tableNames(table_name),
    joined_to: null,
    zone_name: null,
  },
  ...{ arrived_at: null, seated_at: null },
  ...{
    finished_at: null,
    walk_in: false,
    late_minutes: null,
    from_pms: false,
    notes: null,
    customer_id: null,
    customer_notes: null,
    tags: [],
  },
  ...{
    tier: null,
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
  ...more,
})
const waits = (name: string, party_size: number, more: Partial<WaitingParty> = {}): WaitingParty => ({
  ...{ id: name, name, phone: null, readable_phone: null, party_size, quoted_minutes: null, notes: null },
  ...{ joined_at: '2026-11-20T19:00:00Z', called_at: null, message: null, offer: null },
  ...more,
})
const table = (name: string, capacity: number | null): BoardService['tables'][number] => ({
  ...NOT_PLACED,
  name,
  zone: null,
  capacity,
})
const TABLES = [table('4', 4), table('5', 2), table('6', 6)]
const service = (
  parties: BoardParty[],
  waiting: WaitingParty[],
  tables: BoardService['tables'] = TABLES,
): BoardService => ({
  location: { id: 'l', name: 'Norte', timezone: 'Europe/Madrid', stay_minutes: null },
  ...{
    day: '2026-11-20',
    at: '2026-11-20T19:30:00Z',
    closed: null,
    closings: [],
    shifts: [],
    tables,
    waiting,
    parties,
  },
})
/** `4 21:00 Lucía`. */
const offers = (one: BoardService, clock: string | null = '20:30') =>
  freedTables(one, clock).map(({ table: name, at, party }) => `${name} ${at} ${party.name}`)

describe('a table that was given back', () => {
  it.each([
    ['cancelled', '4 21:00 Lucía'],
    ['no_show', '4 21:00 Lucía'],
    ['confirmed', undefined],
    ['completed', undefined],
  ] as const)('by a party that is %s', (status, offer) => {
    const found = offers(service([gone('4', { status })], [waits('Lucía', 4)]))
    expect(found).toEqual(offer ? [offer] : [])
  })

  it('goes to the first whom it seats, and who has not been called', () => {
    const called = waits('Berta', 2, { called_at: '2026-11-20T19:20:00Z' })
    const list = [waits('Ana', 5), called, waits('Lucía', 3), waits('Marta', 4)]
    expect(offers(service([gone('4')], list))).toEqual(['4 21:00 Lucía'])
    expect(offers(service([gone('4')], [waits('Ana', 5)]))).toEqual([])
  })

  it('is for one party, and a party gets one', () => {
    const parties = [gone('6', { time: '21:15' }), gone('4')]
    expect(offers(service(parties, [waits('Lucía', 4), waits('Marta', 2)]))).toEqual([
      '4 21:00 Lucía',
      '6 21:15 Marta',
    ])
    expect(offers(service(parties, [waits('Lucía', 4)]))).toEqual(['4 21:00 Lucía'])
    const again = [gone('4'), gone('4', { time: '21:15', status: 'no_show' })]
    expect(offers(service(again, [waits('Lucía', 4), waits('Marta', 2)]))).toEqual(['4 21:00 Lucía'])
  })

  it('is not free when another party has it by then', () => {
    const seated = gone('4', { id: 'x', status: 'seated', time: '20:00', seated_at: '2026-11-20T19:00:00Z' })
    const next = gone('4', { id: 'y', status: 'confirmed', time: '22:00' })
    for (const other of [seated, next])
      expect(offers(service([gone('4'), other], [waits('Lucía', 2)]))).toEqual([])
  })

  it.each([
    ['18:59', []],
    ['19:00', ['4 21:00 Lucía']],
    ['21:40', ['4 21:40 Lucía']],
    ['22:00', []],
    [null, []],
  ])('is offered around its time (at %s)', (clock, expected) => {
    expect(offers(service([gone('4')], [waits('Lucía', 2)]), clock)).toEqual(expected)
  })

  it('may be two joined ones', () => {
    expect(offers(service([gone('4+5', { party_size: 6 })], [waits('Lucía', 6)]))).toEqual([
      '4+5 21:00 Lucía',
    ])
    const seated = gone('5', { id: 'x', status: 'confirmed', time: '21:00' })
    expect(offers(service([gone('4+5', { party_size: 6 }), seated], [waits('Lucía', 6)]))).toEqual([])
  })

  it('without a name gives back as many places, at any free table', () => {
    const taken = gone('4', { id: 'x', status: 'confirmed' })
    expect(offers(service([gone(null), taken], [waits('Ana', 5), waits('Lucía', 4)]))).toEqual([
      '6 21:00 Lucía',
    ])
    expect(offers(service([gone(null)], [waits('Lucía', 4)], []))).toEqual(['null 21:00 Lucía'])
    expect(offers(service([gone(null)], [waits('Ana', 5)], []))).toEqual([])
  })

  it('is held for the party that was offered it by message', () => {
    const offer = {
      table_name: '4',
      tables: ['4'],
      at: '2026-11-20T20:00:00Z',
      expires_at: '2026-11-20T19:45:00Z',
    }
    const held = waits('Lucía', 4, { offer: { ...offer, outcome: null } })
    expect(offers(service([gone('4')], [held, waits('Marta', 4)]))).toEqual([])
    const expired = waits('Lucía', 4, { offer: { ...offer, outcome: 'expired' } })
    expect(offers(service([gone('4')], [expired]))).toEqual(['4 21:00 Lucía'])
  })

  it('is not given back when it is closed then: the day, its shift or its zone', () => {
    const tables = [{ ...table('4', 4), zone: 'Terraza' }, table('6', 6)]
    const shifts = [{ id: 'c', name: 'Cena', opens: '20:00', closes: '23:30', capacity: null }]
    const closing = { id: 'x', day: '2026-11-20', shift: null, zone: null, reason: 'Obras' }
    const of = (table: string | null, changes: object) =>
      offers({
        ...service([gone(table)], [waits('Lucía', 4)], tables),
        ...{ shifts, closings: [{ ...closing, ...changes }] },
      })
    expect(of('4', {})).toEqual([])
    expect(of('4', { shift: 'Cena' })).toEqual([])
    expect(of('4', { shift: 'Comida' })).toEqual(['4 21:00 Lucía'])
    expect(of('4', { zone: 'Terraza', shift: 'Cena' })).toEqual([])
    expect(of('6', { zone: 'Terraza' })).toEqual(['6 21:00 Lucía'])
    expect(of(null, { zone: 'Terraza' })).toEqual(['6 21:00 Lucía'])
  })

  it('is not what an undone walk-in leaves behind', () => {
    expect(offers(service([gone('4', { walk_in: true })], [waits('Lucía', 2)]))).toEqual([])
  })
})
