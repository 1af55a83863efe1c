import { serviceMinute } from '@/components/ui/service-day'
import { areTogether, type BoardParty, type BoardService, isThere } from './board-model'
import { overlap, QUARTER, type Span, spanOf } from './table-model'

/** A party on the board of tables: its span, and its line within the row. */
export interface Bar extends Span {
  party: BoardParty
  line: number
  /** Whether another party is at the table at the same time. */
  clashes: boolean
}

/** A row of the board: a table, or the parties without a table. */
export interface TableRow {
  name: string
  capacity: number | null
  bars: Bar[]
  lines: number
}

/** The board of a shift: its range of minutes, the parties without a table, and the tables by zone. */
export interface TablesDay {
  range: Span
  without: TableRow
  zones: { zone: string | null; rows: TableRow[] }[]
}

const NOON_TO_NIGHT: Span = { from: 6 * 60, until: 18 * 60 }

/**
 * The times that the board shows, in whole quarters: a shift from its opening to its close, longer where one of its parties
 * comes before or after; without a shift the times of the parties.
 */
export function rangeOf(
  { shifts }: Pick<BoardService, 'shifts'>,
  shift: string | null,
  parties: readonly (Span & { party: Pick<BoardParty, 'shift_id'> })[],
): Span {
  const one = shifts.find(({ id }) => id === shift)
  const own = parties.filter(({ party }) => !one || party.shift_id === one.id)
  const opens = Math.min(...(one ? [serviceMinute(one.opens)] : []), ...own.map(({ from }) => from))
  const end = one ? serviceMinute(one.closes) : 0
  const closes = Math.max(end, ...own.filter(({ from }) => from >= end).map(({ until }) => until))
  if (!Number.isFinite(opens)) return NOON_TO_NIGHT
  return { from: Math.floor(opens / QUARTER) * QUARTER, until: Math.ceil(closes / QUARTER) * QUARTER }
}

/**
 * Returns the board of a shift, or of the whole day when the shift is null. Parties at a table that is not among the
 * location's tables are shown with the parties without a table.
 */
export function tablesDay(service: BoardService, shift: string | null, now: number | null): TablesDay {
  const { tables, location } = service
  const known = new Set(tables.map(({ name }) => name))
  const all = service.parties.flatMap((party) => {
    const span = spanOf(party, location, now)
    return span ? [{ party, ...span, names: party.tables.filter((name) => known.has(name)) }] : []
  })
  const range = rangeOf(service, shift, all)
  const shown = all.filter((each) => overlap(each, range))
  const rowOf = (name: string, capacity: number | null, parties: typeof shown): TableRow => {
    const bars = inLines(parties)
    return { name, capacity, bars, lines: Math.max(1, ...bars.map(({ line }) => line + 1)) }
  }
  const zones = [...new Set(tables.map(({ zone }) => zone))].map((zone) => ({
    zone,
    rows: tables
      .filter((table) => table.zone === zone)
      .map(({ name, capacity }) => {
        const row = rowOf(
          name,
          capacity,
          shown.filter(({ names }) => names.includes(name)),
        )
        const clashes = (bar: Bar) =>
          row.bars.some(
            (other) =>
              other !== bar &&
              isThere(other.party) &&
              overlap(other, bar) &&
              !areTogether(other.party, bar.party),
          )
        return {
          ...row,
          bars: row.bars.map((bar) => ({ ...bar, clashes: isThere(bar.party) && clashes(bar) })),
        }
      }),
  }))
  const without = shown.filter(
    ({ names, party }) =>
      names.length === 0 && isThere(party) && (shift === null || party.shift_id === shift),
  )
  return { range, without: rowOf('', null, without), zones }
}

/** Puts each party on the first line without an overlap. */
function inLines(parties: readonly (Span & { party: BoardParty })[]): Bar[] {
  const ends: number[] = []
  return parties
    .toSorted((a, b) => a.from - b.from)
    .map(({ party, from, until }) => {
      const free = ends.findIndex((end) => end <= from)
      const line = free === -1 ? ends.length : free
      ends[line] = until
      return { party, from, until, line, clashes: false }
    })
}
