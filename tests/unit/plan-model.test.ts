import { describe, expect, it } from 'vitest'
import type { BoardService } from '@/components/service/board-model'
import {
  claimsOf,
  draggedFrom,
  floorPlan,
  givesTable,
  nearest,
  partyAfter,
} from '@/components/service/plan-model'
import { hoursAndMinutes } from '@/components/service/table-model'
import type { Service } from '@/lib/service/schema'
import { at, party, room, serviceOf } from './service-fixtures'

const now = (clock: string) => new Date(at(clock))
const planOf = (service: BoardService, clock = '21:00', shift: string | null = 'dinner') =>
  floorPlan(service, { now: now(clock), isToday: true, shift })
function tableOf(service: BoardService, name: string, clock?: string, shift?: string | null) {
  const tables = planOf(service, clock, shift).zones.flatMap(({ placed, loose }) => [...placed, ...loose])
  const table = tables.find((each) => each.name === name)
  if (!table) throw new Error(`No table ${name}`)
  return table
}
/** What the plan says of a table, such as `seated ana 30 min`. */
function face(service: BoardService, name: string, clock?: string, shift?: string | null): string {
  const table = tableOf(service, name, clock, shift)
  const { state, parties, minutes, over, next } = table
  return [
    state,
    ...parties.map(({ id }) => id),
    ...(minutes === null ? [] : [`${minutes} min`]),
    ...(over > 0 ? [`+${over}`] : []),
    ...(next ? [`then ${next.id}`] : []),
  ].join(' ')
}
const sits = (id: string, since: string, more: object = {}) =>
  party(id, { status: 'seated', seated_at: at(since), arrived_at: at(since), table_name: '4', ...more })
const comes = (id: string, time: string, more: object = {}) => party(id, { time, table_name: '4', ...more })
const of = (parties: Parameters<typeof serviceOf>[0], changes: Partial<Service> = {}) =>
  serviceOf(parties, changes)

describe('a table of the plan', () => {
  it('is free, and reserved half an hour before the next party', () => {
    expect(face(of([]), '4')).toBe('free')
    expect(face(of([comes('ana', '21:31')]), '4')).toBe('free then ana')
    expect(face(of([comes('ana', '21:30')]), '4')).toBe('reserved ana')
    // Late, and still waited for.
    expect(face(of([comes('ana', '20:30')]), '4')).toBe('reserved ana')
    for (const status of ['cancelled', 'no_show', 'completed'] as const)
      expect(face(of([comes('ana', '21:10', { status })]), '4')).toBe('free')
  })

  it('lets all be chosen who come to it later, in their order', () => {
    const claims = (...parties: Parameters<typeof of>[0]) =>
      claimsOf(tableOf(of(parties), '4')).map(({ id }) => id)
    const [late, later] = [comes('late', '23:00'), comes('later', '23:55')]
    expect(claims(later, late)).toEqual(['late', 'later'])
    expect(claims(later, late, comes('ana', '21:10'))).toEqual(['ana', 'late', 'later'])
    expect(claims(later, late, sits('ana', '20:15'))).toEqual(['ana', 'late', 'later'])
    expect(claims(comes('lost', '23:00', { status: 'cancelled' }))).toEqual([])
  })

  it('is reserved for who waits at the door, whatever their time', () => {
    expect(face(of([comes('ana', '22:30', { arrived_at: at('20:55') })]), '4')).toBe('reserved ana')
  })

  it('says who sits there, for how long, and how much longer than usual', () => {
    expect(face(of([sits('ana', '20:15')]), '4')).toBe('seated ana 45 min')
    expect(face(of([sits('ana', '19:00')]), '4')).toBe('seated ana 120 min')
    expect(face(of([sits('ana', '18:50')]), '4')).toBe('over ana 130 min +10')
    expect(face(of([sits('ana', '19:20', { party_size: 2 })]), '4')).toBe('over ana 100 min +10')
  })

  it('is taken by who sits there since another shift, whatever shift is shown', () => {
    const since = sits('ana', '20:15', { shift_id: 'lunch' })
    for (const shift of ['lunch', 'dinner', null])
      expect(face(of([since]), '4', '21:00', shift)).toBe('seated ana 45 min')
    const lunch = comes('ana', '21:10', { shift_id: 'lunch' })
    expect(face(of([lunch]), '4')).toBe('reserved ana')
  })

  it('names who comes next to an occupied table within the hour', () => {
    expect(face(of([sits('ana', '20:15'), comes('luis', '22:00')]), '4')).toBe('seated ana 45 min then luis')
    expect(face(of([sits('ana', '20:15'), comes('luis', '22:01')]), '4')).toBe('seated ana 45 min')
    const early = comes('luis', '22:30', { arrived_at: at('20:55') })
    expect(face(of([sits('ana', '20:15'), early]), '4')).toBe('seated ana 45 min then luis')
  })

  it('names both of two who claim it at one time', () => {
    expect(face(of([sits('ana', '20:15'), sits('luis', '20:40')]), '4')).toBe('twice ana luis 45 min')
    expect(face(of([comes('ana', '21:00'), comes('luis', '21:15')]), '4')).toBe('twice ana luis')
    // Whose time has come, while another one sits there.
    expect(face(of([sits('ana', '20:15'), comes('luis', '21:00')]), '4')).toBe('twice ana luis 45 min')
    expect(face(of([sits('ana', '20:15'), comes('luis', '21:05')]), '4')).toBe('seated ana 45 min then luis')
  })

  it('is not claimed twice by who sits together', () => {
    expect(face(of([sits('ana', '20:15'), sits('luis', '20:40', { joined_to: 'ana' })]), '4')).toBe(
      'seated ana luis 45 min',
    )
  })

  it('is that of each of several tables of a party', () => {
    const both = of([sits('ana', '20:15', { table_name: '4+8', tables: ['4', '8'] })])
    expect([face(both, '4'), face(both, '8')]).toEqual(['seated ana 45 min', 'seated ana 45 min'])
  })

  it('is closed with its zone, and still says who is there', () => {
    const closing = { id: 'x', day: '2026-11-20', shift: 'cena', zone: 'TERRAZA', reason: null }
    const closings = [closing]
    expect(face(of([], { closings }), '8')).toBe('closed')
    expect(face(of([], { closings }), '4')).toBe('free')
    // Whatever shift is shown: it goes by the one under way.
    for (const shift of ['lunch', 'dinner', null]) {
      expect(face(of([], { closings }), '8', '21:00', shift)).toBe('closed')
      expect(face(of([], { closings }), '8', '14:00', shift)).toBe('free')
    }
    const there = sits('ana', '20:15', { table_name: '8' })
    expect(face(of([there], { closings }), '8')).toBe('seated ana 45 min')
    expect(face(of([comes('ana', '21:10', { table_name: '8' })], { closings }), '8')).toBe('closed ana')
  })

  it('of another day says who comes in the shift shown', () => {
    const service = of([
      comes('ana', '21:00'),
      comes('luis', '23:30'),
      comes('eva', '14:00', { shift_id: 'lunch' }),
    ])
    const plan = floorPlan(service, { now: now('12:00'), isToday: false, shift: 'dinner' })
    const table = plan.zones[0]?.loose.find(({ name }) => name === '4')
    expect([table?.state, table?.parties.map(({ id }) => id)]).toEqual(['reserved', ['ana', 'luis']])
  })
})

describe('a closed zone of another day', () => {
  it('is that of the shift shown, and of any shift when all are', () => {
    const closing = { id: 'x', day: '2026-11-20', shift: 'Cena', zone: 'Terraza', reason: null }
    const service = of([], { closings: [closing] })
    const state = (shift: string | null) =>
      floorPlan(service, { now: now('12:00'), isToday: false, shift }).zones[1]?.loose[0]?.state
    expect([state('dinner'), state('lunch'), state(null)]).toEqual(['closed', 'free', 'closed'])
  })
})

describe('the parties without a table', () => {
  const ids = (service: BoardService, shift?: string | null) =>
    planOf(service, '21:00', shift).tray.map(({ id }) => id)

  it('are those of the shift that come, who is at the door first', () => {
    const here = party('here', { time: '22:00', arrived_at: at('20:50') })
    const parties = [party('late', { time: '21:30' }), party('soon', { time: '20:30' }), here]
    expect(ids(of([...parties, party('gone', { status: 'completed' }), comes('table', '21:00')]))).toEqual([
      ...['here', 'soon', 'late'],
    ])
  })

  it('are those of another shift only when they are here', () => {
    const lunch = { shift_id: 'lunch', time: '14:00' }
    const parties = [
      party('expected', lunch),
      party('door', { ...lunch, arrived_at: at('20:50') }),
      party('seated', { ...lunch, status: 'seated', arrived_at: at('20:10'), seated_at: at('20:10') }),
    ]
    expect(ids(of(parties))).toEqual(['door', 'seated'])
    expect(ids(of(parties), null)).toEqual(['door', 'seated', 'expected'])
  })

  it('are those outside all shifts, whatever shift is shown', () => {
    const between = party('between', { shift_id: null, time: '18:00' })
    expect([ids(of([between]), 'lunch'), ids(of([between]))]).toEqual([['between'], ['between']])
  })

  it('are also those at a table that is none of the location’s', () => {
    expect(ids(of([comes('ana', '21:00', { table_name: 'X9', tables: ['X9'] })]))).toEqual(['ana'])
  })
})

describe('the plan of a zone', () => {
  it('has no empty margin; what is not placed stands apart', () => {
    const [one, two, three] = room('Sala 1 2', 'Sala 2 4', 'Sala 3 8')
    const tables = [
      { ...one, plan_x: 10, plan_y: 5 },
      { ...two, plan_x: 14, plan_y: 5, shape: 'rectangle' },
      { ...three },
    ] as Service['tables']
    const [zone] = planOf(of([], { tables })).zones
    expect(zone).toMatchObject({ columns: 7, rows: 2 })
    expect(zone?.placed.map(({ name, box }) => [name, box])).toEqual([
      ['1', { x: 0, y: 0, width: 2, height: 2 }],
      ['2', { x: 4, y: 0, width: 3, height: 2 }],
    ])
    expect(zone?.loose.map(({ name }) => name)).toEqual(['3'])
  })

  it('without a placed table is a list', () => {
    expect(planOf(of([])).zones).toMatchObject([
      { zone: 'Sala', columns: 0, rows: 0, placed: [], loose: [{ name: '1' }, { name: '4' }] },
      { zone: 'Terraza', placed: [], loose: [{ name: '8' }] },
    ])
  })
})

describe('taps and keys', () => {
  it('go from one party at a table to the next, then to none', () => {
    const two = [party('ana'), party('luis')]
    expect(partyAfter(two, null)?.id).toBe('ana')
    expect(partyAfter(two, 'ana')?.id).toBe('luis')
    expect(partyAfter(two, 'luis')).toBeNull()
    expect(partyAfter([], null)).toBeNull()
  })

  it('choose the parties of a table, or give it to one that has not got it', () => {
    const table = { name: '4', parties: [party('ana'), party('luis')], later: [party('eva')] }
    const choice = (id: string, purpose: 'seat' | 'assign' = 'assign', more: object = {}) => {
      const chosen = party(id, more)
      return { party: chosen, moved: [chosen], purpose }
    }
    expect(givesTable(table, null)).toBe(false)
    expect(['ana', 'luis', 'eva', 'pau'].map((id) => givesTable(table, choice(id)))).toEqual([
      ...[false, false, false, true],
    ])
    // Who is at the door sits down at its own table.
    expect(givesTable(table, choice('ana', 'seat', { table_name: '4' }))).toBe(true)
    const withEva = { ...choice('pau'), moved: [party('pau'), party('eva')] }
    expect(givesTable(table, withEva)).toBe(false)
  })

  it('drag the chosen one of those who claim a table, else who is there', () => {
    const table = { parties: [party('ana'), party('luis')], later: [party('eva')] }
    const dragged = (id: string, from = table) => {
      const chosen = party(id)
      return draggedFrom(from, { party: chosen, moved: [chosen], purpose: 'assign' })?.id
    }
    expect(['ana', 'luis', 'eva', 'pau'].map((id) => dragged(id))).toEqual(['ana', 'luis', 'eva', 'ana'])
    const free = { parties: [], later: [party('eva')] }
    expect([draggedFrom(free, null), dragged('eva', free)]).toEqual([undefined, 'eva'])
  })

  it('find the nearest table in a direction, straight ahead before aside', () => {
    const area = (x: number, y: number) => ({ x, y, width: 10, height: 10 })
    const areas = [area(20, 0), area(40, 0), area(20, 30), area(0, 30), area(-20, 4)]
    const to = (direction: Parameters<typeof nearest>[2]) => nearest(areas, area(0, 0), direction)
    expect([to('right'), to('down'), to('left'), to('up')]).toEqual([0, 3, 4, null])
  })
})

it('a length of time has hours once it is longer than two', () => {
  expect([0, 95, 120, 121, 781].map(hoursAndMinutes)).toEqual([
    { hours: 0, minutes: '0' },
    { hours: 0, minutes: '95' },
    { hours: 0, minutes: '120' },
    { hours: 2, minutes: '1' },
    { hours: 13, minutes: '1' },
  ])
})
