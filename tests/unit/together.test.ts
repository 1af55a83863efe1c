import { describe, expect, it } from 'vitest'
import {
  areTogether,
  type BoardParty,
  type BoardService,
  coversOf,
  fieldsBefore,
  withTaps,
} from '@/components/service/board-model'
import { joinable, joined, placeOf } from '@/components/service/joined-tables'
import { tableStates } from '@/components/service/table-states'
import { assignTaps, joinTap, separateTap } from '@/components/service/table-taps'
import { tablesDay } from '@/components/service/tables-day'
import { isReady, type PartyTap, seatedWith, seatTaps, withOthers } from '@/components/service/together'
import { NOT_PLACED } from '@/lib/locations/plan'
import { tableNames } from '@/lib/reservations/table-names'
import type { Service, Tap } from '@/lib/service/schema'

const party = (id: string, more: Partial<BoardParty> = {}): BoardParty =>
  ({
    ...{ id, name: id, time: '21:00', party_size: 2, status: 'confirmed', joined_to: null, shift_id: null },
    ...{ arrived_at: null, seated_at: null, finished_at: null, late_minutes: null, zone_name: null },
    usual_table: null,
    ...{ table_name: null, tables: tableNames(more.table_name) },
    ...more,
  }) as BoardParty
const room = ['S4', 'S5', 'S6'].map((name) => ({ ...NOT_PLACED, name, zone: 'Sala', capacity: 4 }))
const service = (...parties: BoardParty[]): BoardService =>
  ({
    ...{ parties, tables: room, shifts: [], closings: [], waiting: [], at: '2031-06-10T19:00:00Z' },
    location: { timezone: 'Europe/Madrid', stay_minutes: null },
  }) as unknown as BoardService

/** A tap in one line, such as `luis joins ana` or `ana assign S4+S5`. */
function told([tap, { id }]: PartyTap): string {
  const { tables, table_name } = tap as { tables?: string[]; table_name?: string }
  const place = tables ? tables.join(' and ') || 'nothing' : table_name
  const what = tap.action !== 'join' ? tap.action : tap.to === null ? 'leaves' : `joins ${tap.to}`
  return `${id} ${what}${place === undefined ? '' : ` ${tap.action === 'join' ? 'at ' : ''}${place}`}`
}
/** The parties after the taps, as the board shows them. */
const boardAfter = (given: BoardService, taps: readonly PartyTap[]) =>
  withTaps(
    given as unknown as Service,
    taps.map(([tap], n) => ({ tap: { ...tap, key: String(n) } as Tap })),
  )
/** Who sits together, and where: `ana+luis at S4`. */
const sitting = (given: BoardService) => [
  ...new Set(
    given.parties.map((each) => {
      const all = withOthers(each, given).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      return `${all.map(({ id }) => id).join('+')} at ${[...new Set(all.map(({ tables }) => tables.join()))].join(' / ')}`
    }),
  ),
]

describe('parties that sit together', () => {
  const first = party('ana')
  const [luis, eva] = [party('luis', { joined_to: 'ana' }), party('eva', { joined_to: 'ana' })]

  it('are those that are joined to the same one, and come', () => {
    expect(areTogether(first, luis)).toBe(true)
    expect(areTogether(luis, eva)).toBe(true)
    expect(areTogether(luis, luis)).toBe(false)
    expect(areTogether(luis, party('pau'))).toBe(false)
    for (const status of ['cancelled', 'no_show', 'completed'] as const) {
      expect(areTogether({ ...first, status }, luis)).toBe(false)
      expect(areTogether(luis, { ...eva, status })).toBe(false)
    }
    // Who does not come leaves the others together.
    expect(sitting(service({ ...first, status: 'no_show' }, luis, eva))).toEqual(['ana at ', 'eva+luis at '])
  })

  it('need tables for all who have not left', () => {
    const gone = party('pau', { joined_to: 'ana', status: 'completed', party_size: 5 })
    const lost = party('noa', { joined_to: 'ana', status: 'cancelled', party_size: 7 })
    const all = service(first, luis, { ...eva, party_size: 3 }, gone, lost)
    expect(coversOf(withOthers(luis, all))).toBe(7)
    expect(coversOf(withOthers(gone, all))).toBe(5)
  })

  it('are not in each other’s way at a table, and others are', () => {
    const at = { table_name: 'S4', status: 'seated', seated_at: '2031-06-10T19:00:00Z' } as const
    const all = service({ ...first, ...at, tables: ['S4'] }, { ...luis, ...at, tables: ['S4'] })
    const states = (moved: BoardParty[]) =>
      tableStates(all, '21:10', 2, { moved }).find(({ name }) => name === 'S4')
    expect(states([luis])?.clashes).toEqual([])
    expect(states([])?.clashes).toHaveLength(2)
    const bars = tablesDay(all, null, null).zones[0]?.rows[0]?.bars ?? []
    expect(bars.map(({ clashes }) => clashes)).toEqual([false, false])
    const apart = service(...all.parties.map((each) => ({ ...each, joined_to: null })))
    expect(tablesDay(apart, null, null).zones[0]?.rows[0]?.bars.map(({ clashes }) => clashes)).toEqual([
      ...[true, true],
    ])
  })

  it('are seated by one tap when they are at the door; who has not come stays expected', () => {
    const here = { ...eva, arrived_at: '2031-06-10T19:00:00Z' }
    const seated = party('pau', { joined_to: 'ana', status: 'seated', arrived_at: '2031-06-10T19:00:00Z' })
    const down = seatedWith(first, service(first, luis, here, seated))
    expect(down).toEqual([first, here])
    const place = { table_name: 'S4+S5' }
    expect(seatTaps(down, place, ['table_taken'])).toMatchObject([
      [
        { action: 'seat', reservation_id: 'ana', seen: 'confirmed', ...place, confirm: ['table_taken'] },
        first,
      ],
      [{ action: 'seat', reservation_id: 'eva' }, here],
    ])
    expect(seatedWith(luis, service(first, luis))).toEqual([luis])
  })

  it('are moved by one tap, whoever of them has not these tables yet', () => {
    const at = (table: string) => ({ table_name: table, tables: [table] })
    const all = withOthers(first, service(first, { ...luis, ...at('S6') }, { ...eva, status: 'completed' }))
    expect(assignTaps(all, { table_name: 'S5' }).map(told)).toEqual(['ana assign S5', 'luis assign S5'])
    expect(assignTaps(all, { table_name: 'S6' }).map(told)).toEqual(['ana assign S6'])
    expect(assignTaps(all, { tables: [] }).map(told)).toEqual(['luis assign nothing'])
  })
})

describe('the tables of who sits down', () => {
  const at = (table: string) => ({ table_name: table, tables: [table] })
  const down = [{ ...party('ana'), ...at('S4') }]

  it('are ready unless a stranger sits at one of them', () => {
    const sits = party('pau', { status: 'seated', ...at('S4') })
    expect(isReady(down, service(...down))).toBe(true)
    expect(isReady(down, service(...down, sits))).toBe(false)
    expect(isReady(down, service(...down, { ...sits, ...at('S5') }))).toBe(true)
    expect(isReady(down, service(...down, { ...sits, joined_to: 'ana' }))).toBe(true)
    expect(isReady(down, service(...down, { ...sits, status: 'completed' }))).toBe(true)
  })

  it('are not when one of them has none', () => {
    const two = [...down, party('luis', { joined_to: 'ana' })]
    expect(isReady(two, service(...two))).toBe(false)
  })
})

describe('joining', () => {
  /** A tap of these parties on the board. */
  const join = (all: BoardService, one: number, other: number) => {
    const taps = [joinTap(all.parties[one] as BoardParty, all.parties[other] as BoardParty, all)]
    return { told: taps.map(told), after: boardAfter(all, taps) }
  }

  it('puts both at the tables of both, in one tap', () => {
    const all = service(party('ana', { table_name: 'S4' }), party('luis', { table_name: 'S5' }))
    const { told: said, after } = join(all, 0, 1)
    expect(said).toEqual(['ana joins luis at S4+S5'])
    expect(sitting(after)).toEqual(['ana+luis at S4,S5'])
  })

  it('asks for nothing where there is nothing to change', () => {
    const all = service(party('ana'), party('luis'), party('eva', { table_name: 'S4' }))
    expect(join(all, 0, 1).told).toEqual(['ana joins luis'])
    expect(join(all, 2, 0).told).toEqual(['eva joins ana at S4'])
  })

  it('brings those along with whom each of both sits', () => {
    const all = service(
      party('pau', { table_name: 'S6' }),
      party('ana', { table_name: 'S4' }),
      party('luis', { table_name: 'S4', joined_to: 'ana' }),
      party('eva', { table_name: 'S5', joined_to: 'pau' }),
    )
    for (const [one, other] of [
      [3, 1],
      [1, 3],
      [2, 0],
      [0, 2],
    ] as const)
      expect(sitting(join(all, one, other).after)[0]).toMatch(/^ana\+eva\+luis\+pau at [^/]*$/)
    expect(join(all, 3, 1).told).toEqual(['eva joins ana at S5+S6+S4'])
  })

  it('leaves each its own tables where all are more than one party may hold', () => {
    const long = 'x'.repeat(60)
    const all = service(party('ana', { table_name: `${long}1` }), party('luis', { table_name: `${long}2` }))
    expect(join(all, 0, 1).told).toEqual(['ana joins luis'])
  })

  it('finds whoever sits with a party whose first one does not come', () => {
    const gone = party('ana', { status: 'no_show' })
    const all = service(gone, party('luis', { joined_to: 'ana' }), party('eva'), party('pau'))
    const { after } = join(all, 2, 1)
    expect(sitting(after)).toEqual(['ana at ', 'eva+luis at ', 'pau at '])
    expect(sitting(join(after, 1, 3).after)).toEqual(['ana at ', 'eva+luis+pau at '])
  })

  it('leaves who does not come with those of before, not with whoever its first one joins', () => {
    const all = service(
      party('ana'),
      party('luis', { joined_to: 'ana', status: 'cancelled' }),
      party('noa', { joined_to: 'ana', status: 'cancelled' }),
      party('eva'),
    )
    const { after } = join(all, 0, 3)
    const back = service(...after.parties.map((each) => ({ ...each, status: 'confirmed' as const })))
    expect(sitting(back)).toEqual(['ana+eva at ', 'luis+noa at '])
  })

  it('names tables as the device has read them, and none as an empty list', () => {
    expect(placeOf(['Barra', 'S4'])).toEqual({ table_name: 'Barra+S4' })
    expect(placeOf([])).toEqual({ tables: [] })
  })

  it('names a walk-in without an id by its key', () => {
    const all = service(party('ana'), { ...party('key'), unsaved: true, status: 'seated' })
    const [ana, walkIn] = all.parties as [BoardParty, BoardParty]
    expect(joinTap(walkIn, ana, all)[0]).toMatchObject({ of: 'key', to: 'ana' })
    expect(joinTap(ana, walkIn, all)[0]).toMatchObject({ reservation_id: 'ana', to: 'key' })
    expect(sitting(boardAfter(all, [joinTap(walkIn, ana, all)]))).toEqual(['ana+key at '])
  })
})

describe('separating', () => {
  const at = { table_name: 'S4+S5' }
  const all = service(
    party('ana', at),
    party('luis', { ...at, joined_to: 'ana' }),
    party('eva', { ...at, joined_to: 'ana' }),
  )
  const [ana, luis] = all.parties as [BoardParty, BoardParty]

  it('takes one away without a table; the others keep theirs, and go on together', () => {
    expect(told(separateTap(luis))).toBe('luis leaves at nothing')
    expect(sitting(boardAfter(all, [separateTap(luis)]))).toEqual(['ana+eva at S4,S5', 'luis at '])
    expect(sitting(boardAfter(all, [separateTap(ana)]))).toEqual(['ana at ', 'eva+luis at S4,S5'])
  })

  it('does nothing to a party on its own but take its table', () => {
    const alone = service(party('pau', at))
    expect(sitting(boardAfter(alone, [separateTap(alone.parties[0] as BoardParty)]))).toEqual(['pau at '])
  })

  it('shows at once when it is taken back, also for the others', () => {
    for (const each of [ana, luis]) {
      const [tap] = separateTap(each)
      const before = fieldsBefore(all.parties, tap, each)
      const undo = { action: 'undo', reservation_id: each.id, undoes: '0', key: '1' } as Tap
      const taken = [{ tap: { ...tap, key: '0' } as Tap }, { tap: undo, before }]
      expect(withTaps(all as unknown as Service, taken).parties).toEqual(all.parties)
    }
  })
})

describe('a table for who comes later than its companions', () => {
  const ana = party('ana', {
    status: 'seated',
    table_name: 'S4',
    party_size: 4,
    seated_at: '2031-06-10T19:00:00Z',
  })
  const luis = party('luis', { joined_to: 'ana' })
  const state = (all: BoardService, name: string, planned = false) =>
    tableStates(all, '21:30', 2, { moved: [luis], planned }).find((each) => each.name === name)

  it('counts who sits there already, and the seats that they have', () => {
    const all = service(ana, luis)
    expect(state(all, 'S4')).toMatchObject({ small: true, covers: 6, seats: 4 })
    expect(state(all, 'S5')).toMatchObject({ small: false, covers: 6, seats: 8 })
    const states = tableStates(all, '21:30', 2, { moved: [luis] })
    expect(
      joined(
        states.filter(({ name }) => name !== 'S6'),
        2,
      ),
    ).toMatchObject({ small: false, seats: 8 })
  })

  it('is of unknown size beside one whose table is not known', () => {
    const all = service({ ...ana, table_name: 'Barra 9', tables: ['Barra 9'] }, luis)
    expect(state(all, 'S6')).toMatchObject({ small: false, covers: 6, seats: null })
  })

  it('is proposed only with the seats of all', () => {
    const all = {
      ...service(ana, luis),
      tables: [...room, ...['S7', 'S8'].map((name) => ({ ...NOT_PLACED, name, zone: 'Sala', capacity: 1 }))],
    }
    const states = tableStates(all, '21:30', 2, { moved: [luis] }).filter(({ name }) =>
      ['S4', 'S7', 'S8'].includes(name),
    )
    expect(joinable(all.tables, states, 2).map(({ name }) => name)).toEqual(
      ['S7+S8', 'S7+S4', 'S8+S4'].slice(0, 1),
    )
  })

  it('is asked for each party at its own time and stay', () => {
    const late = party('luis', { joined_to: 'ana', party_size: 6, time: '21:30' })
    const early = party('ana')
    const all = service(early, late, party('eva', { time: '23:00', table_name: 'S5' }))
    const clashes = (moved: BoardParty[]) =>
      tableStates(all, '20:00', 8, { moved, planned: true })
        .find(({ name }) => name === 'S5')
        ?.clashes.map(({ id }) => id)
    expect(clashes([early])).toEqual([])
    expect(clashes([early, late])).toEqual(['eva'])
    expect(clashes([late, early])).toEqual(['eva'])
  })
})

it('a list of an older version of the app says the tables by their name, and nobody sits together', () => {
  const { tables: _, joined_to: __, ...old } = party('ana', { table_name: ' S4+ S5' })
  const shown = withTaps({ ...service(), parties: [old] } as unknown as Service, [])
  expect(shown.parties).toMatchObject([{ tables: ['S4', 'S5'], joined_to: null }])
})
