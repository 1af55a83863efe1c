import { describe, expect, it } from 'vitest'
import { isTooMany, joinable, joined } from '@/components/service/joined-tables'
import type { TableState } from '@/components/service/table-states'
import { NOT_PLACED } from '@/lib/locations/plan'
import type { Party } from '@/lib/service/schema'

const party = (id: string) => ({ id }) as Party
/** A table of the room for a party of that size, such as `Sala S4 4`; `?` is a capacity that nobody knows. */
const table = (size: number, text: string, more: Partial<TableState> = {}): TableState => {
  const [zone = '', name = '', seats] = text.split(' ')
  const capacity = seats === '?' ? null : Number(seats)
  return {
    ...{ zone, name, names: [name], capacity, small: capacity !== null && capacity < size },
    ...{ covers: size, seats: capacity, party: null, next: null, clashes: [] },
    ...{ freeUntil: null, closing: null, ...more },
  }
}
const taken = { clashes: [party('x')] }
const proposed = (size: number, ...texts: (string | [string, Partial<TableState>])[]) => {
  const states = texts.map((each) =>
    typeof each === 'string' ? table(size, each) : table(size, each[0], each[1]),
  )
  // The states come sorted in another way than the room.
  return joinable(
    states.map((state) => ({ ...NOT_PLACED, ...state })),
    states.toReversed(),
    size,
  ).map(({ name, capacity }) => `${name}: ${capacity}`)
}

describe('tables that are proposed together', () => {
  it('are none while a single one seats the party', () => {
    expect(proposed(4, 'Sala 1 2', 'Sala 2 2', 'Sala 3 4')).toEqual([])
    expect(proposed(4, 'Sala 1 2', 'Sala 2 2', 'Sala 3 ?')).toEqual([])
    expect(proposed(4, 'Sala 1 2', 'Sala 2 2', ['Sala 3 4', taken])).toEqual(['1+2: 4'])
  })

  it('have the fewest seats that do, and stand near each other', () => {
    const room = ['Sala 1 4', 'Sala 2 2', 'Sala 3 4', 'Sala 4 6', 'Sala 5 4'] as const
    expect(proposed(7, ...room)).toEqual(['1+3: 8', '2+4: 8', '3+5: 8'])
    expect(proposed(9, ...room)).toEqual(['3+4: 10', '4+5: 10', '1+4: 10'])
  })

  it('are of one zone, free and of known capacity', () => {
    expect(proposed(6, 'Sala 1 4', 'Terraza 2 4')).toEqual([])
    expect(proposed(6, 'Sala 1 4', ['Sala 2 4', taken])).toEqual([])
    expect(proposed(6, ['Sala 1 ?', taken], 'Sala 2 4')).toEqual([])
  })

  it('are three and more only where two do not do, and then neighbours', () => {
    const room: Parameters<typeof proposed>[1][] = [
      'Sala 1 4',
      'Sala 2 4',
      'Sala 3 4',
      ['Sala 4 4', taken],
      'Sala 5 4',
    ]
    expect(proposed(11, ...room)).toEqual(['1+2+3: 12'])
    expect(proposed(13, ...room)).toEqual([])
    const row = Array.from({ length: 12 }, (_, at) => `Sala ${at} 2`)
    expect(proposed(20, ...row)).toHaveLength(3)
    // A party holds ten tables at most.
    expect(proposed(21, ...row)).toEqual([])
  })
})

describe('tables on a plan that are proposed together', () => {
  /** Tables of two cells by two, by their column and row on the plan of the room: `Sala 1 4 0,0`. */
  const placed = (size: number, ...texts: string[]) => {
    const room = texts.map((text) => {
      const [place = '', more] = [text.split(' ')[3] ?? '', text.split(' ')[4]]
      const [plan_x = null, plan_y = null] = place ? place.split(',').map(Number) : []
      const state = table(size, text, more === 'taken' ? taken : {})
      return { ...NOT_PLACED, ...state, plan_x, plan_y, joinable: more !== 'alone' }
    })
    return joinable(room, room.toReversed(), size).map(({ name }) => name)
  }

  it('are the nearest by their edges, not by the list', () => {
    expect(placed(8, 'Sala 1 4 0,0', 'Sala 2 4 30,20', 'Sala 3 4 0,4', 'Sala 4 4 9,0')).toEqual([
      ...['1+3', '1+4', '3+4'],
    ])
  })

  it('are neighbours before those apart, of these the ones with the fewest seats', () => {
    expect(placed(8, 'Sala 1 4 0,0', 'Sala 2 6 2,0', 'Sala 3 4 30,20')).toEqual(['1+2', '1+3', '2+3'])
    expect(placed(6, 'Sala 1 4 0,0', 'Sala 2 2 36,26', 'Sala 3 4 3,0')).toEqual(['1+3', '2+3', '1+2'])
    expect(placed(8, 'Sala 1 4 3,0', 'Sala 2 6 0,0', 'Sala 3 4 6,0')).toEqual(['1+3', '1+2', '2+3'])
  })

  it('come before those that are not placed, of which neighbours of the list follow, and then those apart', () => {
    const room = ['Sala 1 4', 'Sala 2 4', 'Sala 3 4', 'Sala 4 4 0,0']
    expect(placed(8, ...room, 'Sala 5 4 5,0')).toEqual(['4+5', '1+2', '2+3'])
    expect(placed(8, ...room, 'Sala 5 4 39,29')).toEqual(['1+2', '2+3', '3+4'])
  })

  it('are three and more only where each stands near another one', () => {
    const row = ['Sala 1 4 0,0', 'Sala 2 4 25,0', 'Sala 3 4 4,0', 'Sala 4 4 8,0', 'Sala 5 4 8,5']
    // A table of two cells; its next stands two cells further, the last one three.
    expect(placed(12, ...row)).toEqual(['1+3+4', '3+4+5'])
    expect(placed(16, ...row)).toEqual(['1+3+4+5'])
    expect(placed(20, ...row)).toEqual([])
    expect(placed(12, ...row.slice(0, 4), 'Sala 5 4 8,6')).toEqual(['1+3+4'])
    expect(placed(12, 'Sala 1 4 0,0', 'Sala 2 4 3,0 taken', 'Sala 3 4 3,3', 'Sala 4 4 0,3')).toEqual([
      '1+3+4',
    ])
  })

  it('are none that stand alone, on a plan or without one', () => {
    expect(placed(8, 'Sala 1 4 0,0', 'Sala 2 4 2,0 alone', 'Sala 3 4 9,9')).toEqual(['1+3'])
    expect(placed(12, 'Sala 1 4 0,0', 'Sala 2 4 2,0', 'Sala 3 4 4,0 alone')).toEqual([])
    const unplaced = ['Sala 1 4', 'Sala 2 4', 'Sala 3 4'].map((text) => table(8, text))
    const room = unplaced.map((state, n) => ({ ...NOT_PLACED, ...state, joinable: n !== 1 }))
    expect(joinable(room, unplaced, 8).map(({ name }) => name)).toEqual(['1+3'])
    expect(joinable(room, unplaced, 12)).toEqual([])
  })
})

describe('several tables as one', () => {
  it('seat as many as they do together', () => {
    const both = joined([table(7, 'Sala 4 4'), table(7, 'Sala 5 4')], 7)
    expect(both).toMatchObject({ name: '4+5', names: ['4', '5'], zone: 'Sala', capacity: 8, small: false })
    const unknown = joined([table(9, 'Sala 4 4'), table(9, 'Terraza 5 ?')], 9)
    expect(unknown).toMatchObject({ zone: null, capacity: null, small: false })
    expect(joined([], 2)).toMatchObject({ name: '', names: [], clashes: [] })
  })

  it('name who is in the way at any of them once', () => {
    const [x, y] = [party('x'), party('y')]
    const both = joined(
      [table(2, 'Sala 4 4', { clashes: [x] }), table(2, 'Sala 5 4', { clashes: [x, y], party: y, next: x })],
      2,
    )
    expect(both).toMatchObject({ clashes: [x, y], party: y, next: x })
  })
})

describe('tables that one party may hold', () => {
  it('are ten', () => {
    const nine = [...'123456789']
    expect(isTooMany(nine, '10')).toBe(false)
    expect(isTooMany([...nine, '10'], '11')).toBe(true)
    expect(isTooMany([...nine, '10'], '10')).toBe(false)
  })

  it('have a joined name of 100 characters at most', () => {
    expect(isTooMany(['a'.repeat(49)], 'b'.repeat(50))).toBe(false)
    expect(isTooMany(['a'.repeat(50)], 'b'.repeat(50))).toBe(true)
    const room = [...'abcdef'].map((letter) => `Sala ${letter.repeat(25)} 2`)
    expect(proposed(6, ...room)[0]).toMatch(/: 6$/)
    expect(proposed(8, ...room)).toEqual([])
  })
})
