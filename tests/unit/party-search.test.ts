import { describe, expect, it } from 'vitest'
import { findParties, forgivingSearch } from '@/lib/reservations/party-search'
import { tableNames } from '@/lib/reservations/table-names'

const party = (name: string | null, fields: { table_name?: string; phone?: string; notes?: string }) => ({
  ...{ name, phone: null as string | null, table_name: null as string | null, notes: null as string | null },
  ...fields,
  tables: tableNames(fields.table_name),
})
const PARTIES = [
  party('José García Núñez', { phone: '+34600111222', table_name: 'S4+S5', notes: 'Mañana traen (trona)' }),
  party('Ana María López', { phone: '+34655443322', table_name: '12' }),
  party('Marta O’Brien', { phone: '+447700900123', table_name: '1' }),
  party(null, { table_name: 'S4 + S6' }),
]
const found = (typed: string) => findParties(PARTIES, typed).map(({ name }) => name?.split(' ')[0] ?? null)

describe('a typed text finds a party', () => {
  it.each([
    ['nunez jose', ['José']],
    ['GARCÍA', ['José']],
    ['lop ana', ['Ana']],
    ['arc', ['José']],
    ['garcia lopez', []],
  ])('by words of the name in any order: %s', (typed, names) => {
    expect(found(typed)).toEqual(names)
  })

  it.each([
    ['garxia', ['José']],
    ['gracia', ['José']],
    ['garca', ['José']],
    ['garrcia', ['José']],
    ['gracia nunez', ['José']],
    ['lopze', ['Ana']],
    ['garxja', []],
    ['jsoe', []],
    // Matches without a typing error hide those with one.
    ['marta', ['Marta']],
    ['maria', ['Ana']],
    ['bruen', ['Marta']],
  ])('with one typing error in a long word: %s', (typed, names) => {
    expect(found(typed)).toEqual(names)
  })

  it.each(['600111222', '600 11 12 22', '+34 600 111 222', '0034600111222', 'tel. 600-111-222', '1222'])(
    'by the phone in any form: %s',
    (typed) => {
      expect(found(typed)).toEqual(['José'])
    },
  )

  it('by the phone without its trunk zero, and not by fewer than four digits of it', () => {
    expect(found('07700 900123')).toEqual(['Marta'])
    expect(found('222')).toEqual([])
    expect(found('600111223')).toEqual([])
    expect(found('0123')).toEqual(['Marta'])
  })

  it.each([
    ['12', ['Ana']],
    ['1', ['Marta']],
    ['mesa 12', ['Ana']],
    ['s5', ['José']],
    ['S4', ['José', null]],
    ['s4+s5', ['José']],
    ['S4 + s6', [null]],
    ['s4+s6', [null]],
  ])('by the exact table, also a joined one: %s', (typed, names) => {
    expect(found(typed)).toEqual(names)
  })

  it('by words of the note from their beginning, also together with the name', () => {
    expect(found('trona')).toEqual(['José'])
    expect(found('jose tron')).toEqual(['José'])
    // Not "mañana".
    expect(found('ana')).toEqual(['Ana'])
  })

  it.each(['%', '_', '\\', '.*', '[', '(a+)+$', '   ', '\0', '^'])('finds nobody by %j', (typed) => {
    expect(found(typed)).toEqual([])
  })
})

it('forgives no error in numbers, short words and halves of emoji', () => {
  expect(forgivingSearch('1234567 ana 🍕🍕🍕')).toBeNull()
  expect(JSON.stringify(forgivingSearch('garcia 🍕🍕🍕')).isWellFormed()).toBe(true)
})
