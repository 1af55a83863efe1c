import { describe, expect, it } from 'vitest'
import { isTooMany, joinable, joined } from '@/components/service/joined-tables'
import type { TableState } from '@/components/service/table-states'
import type { Party } from '@/lib/service/schema'

const party = (id: string) => ({ id }) as Party
/** A table of the room for a party of that size, such as `Sala S4 4`; `?` is a capacity that nobody knows. */
const table = (size: number, text: string, more: Partial<TableState> = {}): TableState => {
  const [zone = '', name = '', seats] = text.split(' ')
  const capacity = seats === '?' ? null : Number(seats)
  return {
    ...{ zone, name, names: [name], capacity, small: capacity !== null && capacity < size },
    ...{ covers: size, seats: capacity, party: null, next: null, clashes: [], ...more },
  }
}
const taken = { clashes: [party('x')] }
const proposed = (size: number, ...texts: (string | [string, Partial<TableState>])[]) => {
  const states = texts.map((each) =>
    typeof each === 'string' ? table(size, each) : table(size, each[0], each[1]),
  )
  // The states come sorted in another way than the room.
  return joinable(states, states.toReversed(), size).map(({ name, capacity }) => `${name}: ${capacity}`)
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
