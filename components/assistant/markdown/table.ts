import { type Inline, parseInline } from './inline'

type Align = 'start' | 'center' | 'end'

/** A table's rows as cells; every row has as many as the head. */
export interface Table {
  kind: 'table'
  align: Align[]
  head: Inline[][]
  rows: Inline[][][]
}

const MAX_COLUMNS = 30
const RULE = /^:?-+:?$/

/** The table that begins at a line, and the line after it; null when none does. */
export function tableAt(lines: readonly string[], at: number): { table: Table; next: number } | null {
  const first = lines[at] ?? ''
  const rule = cellsOf(lines[at + 1] ?? '')
  const head = cellsOf(first)
  const fits = head.length === rule.length && head.length <= MAX_COLUMNS
  if (!first.includes('|') || !fits || !rule.every((cell) => RULE.test(cell))) return null
  const rows: Inline[][][] = []
  let next = at + 2
  for (; (lines[next] ?? '').includes('|'); next++) {
    const cells = cellsOf(lines[next] ?? '')
    rows.push(head.map((_, column) => parseInline(cells[column] ?? '')))
  }
  const table: Table = {
    kind: 'table',
    align: rule.map(alignOf),
    head: head.map((cell) => parseInline(cell)),
    rows,
  }
  return { table, next }
}

function alignOf(rule: string): Align {
  if (!rule.endsWith(':')) return 'start'
  return rule.startsWith(':') ? 'center' : 'end'
}

/** The cells of a line; `\|` is a bar within one. */
function cellsOf(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/)
  if (cells[0] === '') cells.shift()
  if (cells.at(-1)?.trim() === '') cells.pop()
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}
