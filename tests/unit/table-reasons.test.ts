import { describe, expect, it } from 'vitest'
import type { BoardParty, BoardService } from '@/components/service/board-model'
import { closingOf } from '@/components/service/closed-zones'
import { proposedTables, reasonsOf, tablesByZone } from '@/components/service/table-reasons'
import { tableStates } from '@/components/service/table-states'
import { party, room, serviceOf } from './service-fixtures'

const ROOM = room(
  'Sala S1 2',
  'Sala S2 2',
  'Sala S3 4',
  'Sala S4 6',
  'Terraza T1 2',
  'Terraza T2 4',
  'Barra B1 1',
)
/** The proposals for a party of the service at 20:00, each with its reasons. */
function proposed(service: BoardService, { id }: Pick<BoardParty, 'id'>, planned = true): string[] {
  const moved = service.parties.filter((each) => each.id === id)
  const size = moved[0]?.party_size ?? 2
  const states = tableStates(service, '20:00', size, { moved, planned })
  return proposedTables(service, states, moved, size).map((state) => {
    const words = reasonsOf(state, moved).map((reason) =>
      reason.kind === 'fits' ? `+${reason.spare}` : reason.kind === 'until' ? reason.time : reason.kind,
    )
    return [state.name, ...words].join(' ')
  })
}
const couple = party('couple', { party_size: 2 })
const closing = { id: 'x', day: '2026-11-20', shift: null, zone: null, reason: null }

describe('the proposed tables', () => {
  it('are the three that leave the fewest seats empty', () => {
    expect(proposed(serviceOf([couple], { tables: ROOM }), couple)).toEqual(['S1 +0', 'S2 +0', 'T1 +0'])
  })

  it('are first the usual table, then those of the zone asked for, however it is written', () => {
    const asks = { ...couple, zone_name: 'TERRAZA ', usual_table: 's4' }
    expect(proposed(serviceOf([asks], { tables: ROOM }), asks)).toEqual([
      'S4 +4 usual',
      'T1 +0 zone',
      'T2 +2 zone',
    ])
  })

  it('are neither taken nor too small, though usual or asked for', () => {
    const asks = { ...party('four'), zone_name: 'Terraza', usual_table: 'S1' }
    const there = party('there', { table_name: 'T2', status: 'seated' })
    expect(proposed(serviceOf([asks, there], { tables: ROOM }), asks)).toEqual(['S3 +0', 'S4 +2'])
  })

  it('say until when they are free', () => {
    const later = party('later', { table_name: 'S1', time: '23:15' })
    const sooner = party('sooner', { table_name: 'S2', time: '22:15' })
    const gone = party('gone', { table_name: 'T1', time: '23:00', status: 'cancelled' })
    expect(proposed(serviceOf([couple, later, sooner, gone], { tables: ROOM }), couple)).toEqual([
      'S1 +0 23:15',
      'T1 +0',
      'S3 +2',
    ])
  })

  it('are no seats at the bar for a booking, unless it asked for the bar or its guest sits there', () => {
    const tables = room('Barra B1 1', 'Barra B2 2', 'Bar central C1 2', 'Sala S1 1', 'Sala S3 4')
    const at = (more: object) => {
      const guest = { ...couple, ...more }
      return proposed(serviceOf([guest], { tables }), guest)
    }
    expect(at({})).toEqual(['S3 +2'])
    expect(at({ party_size: 1 })).toEqual(['S3 +3'])
    expect(at({ zone_name: 'barra' })).toEqual(['B2 +0 zone', 'S3 +2'])
    expect(at({ usual_table: 'C1' })).toEqual(['C1 +0 usual', 'S3 +2'])
    // A zone that only begins with the word is no bar; nor is a large table at one.
    const other = room('Barracón B1 2', 'Barra B2 4')
    expect(proposed(serviceOf([couple], { tables: other }), couple)).toEqual(['B1 +0', 'B2 +2'])
  })

  it('may be seats at the bar for who came without a booking', () => {
    const states = tableStates(serviceOf([], { tables: ROOM }), '20:00', 1)
    expect(proposedTables(serviceOf([], { tables: ROOM }), states, [], 1).map(({ name }) => name)).toEqual([
      'B1',
      'S1',
      'S2',
    ])
  })

  it('are never of a closed zone', () => {
    const shut = { ...closing, zone: 'terraza', shift: 'CENA' }
    const asks = { ...couple, zone_name: 'Terraza', usual_table: 'T1' }
    // Zones by their place in the room: the bar, then closed ones, are last.
    const service = serviceOf([asks], { tables: ROOM, closings: [shut] })
    expect(proposed(service, asks)).toEqual(['S1 +0', 'S2 +0', 'S3 +2'])
    expect(tablesByZone(service, tableStates(service, '20:00', 2)).map(({ zone }) => zone)).toEqual([
      'Sala',
      'Barra',
      'Terraza',
    ])
  })

  it('are fewer than three where no more suit, and joined ones where none does', () => {
    const six = party('six', { party_size: 6 })
    expect(proposed(serviceOf([six], { tables: ROOM }), six)).toEqual(['S4 +0'])
    const eight = party('eight', { party_size: 8 })
    expect(proposed(serviceOf([eight], { tables: ROOM }), eight)).toEqual([
      'S2+S4 +0',
      'S1+S4 +0',
      'S3+S4 +2',
    ])
    // Joined from tables that are open, and no seats at the bar.
    const three = party('three', { party_size: 3 })
    const tables = room('Barra B1 2', 'Barra B2 2', 'Terraza T1 2', 'Terraza T2 2')
    const service = serviceOf([three], { tables, closings: [{ ...closing, zone: 'Terraza' }] })
    expect(proposed(service, three)).toEqual([])
    expect(proposed(serviceOf([three], { tables }), three)).toEqual(['T1+T2 +1'])
  })

  it('are of joined ones first the usual ones and the zone asked for, never those that the party has', () => {
    const tables = room(
      'Sala S1 4',
      'Sala S2 4',
      'Sala S3 4',
      'Sala S4 4',
      'Sala S5 4',
      'Terraza T1 4',
      'Terraza T2 6',
    )
    const at = (more: object) => {
      const eight = party('eight', { party_size: 8, ...more })
      return proposed(serviceOf([eight], { tables }), eight)
    }
    expect(at({})).toEqual(['S1+S2 +0', 'S2+S3 +0', 'S3+S4 +0'])
    expect(at({ table_name: 'S2+S1', usual_table: 'S5+S4' })).toEqual([
      'S4+S5 +0 usual',
      'S2+S3 +0',
      'S3+S4 +0',
    ])
    expect(at({ zone_name: 'terraza' })[0]).toBe('T1+T2 +2 zone')
  })

  it('do not repeat the table that the party has', () => {
    const has = { ...couple, table_name: 'S1', tables: ['S1'], usual_table: 'S1' }
    expect(proposed(serviceOf([has], { tables: ROOM }), has)).toEqual(['S2 +0', 'T1 +0', 'S3 +2'])
  })
})

describe('what closes a zone', () => {
  const service = (changes: object) => serviceOf([], { closings: [{ ...closing, ...changes }] })

  it('is the day, the shift of the party or the zone, as the database compares names', () => {
    expect(closingOf(service({}), null, ['dinner'])).toBeTruthy()
    expect(closingOf(service({ shift: 'cena' }), 'Sala', ['dinner'])).toBeTruthy()
    expect(closingOf(service({ shift: 'Comida' }), 'Sala', ['dinner'])).toBeNull()
    expect(closingOf(service({ zone: 'Jardín', shift: 'Cena' }), 'JARDIN', ['dinner'])).toBeTruthy()
    expect(closingOf(service({ zone: 'Jardín' }), 'Sala', ['dinner'])).toBeNull()
    expect(closingOf(service({ zone: 'Jardín' }), null, ['dinner'])).toBeNull()
    // A booking outside all shifts is in none.
    expect(closingOf(service({ shift: 'Cena' }), 'Sala', [null])).toBeNull()
  })
})
