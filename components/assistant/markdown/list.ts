import type { Block } from './blocks'

/** A list; each item holds blocks of its own. */
export interface ListBlock {
  kind: 'list'
  ordered: boolean
  start: number
  items: Block[][]
}

const ITEM = /^(\s*)([-*+•]|\d{1,9}[.)])(?:\s+(.*))?$/
const MAX_INDENT = 3

interface Marker {
  indent: number
  ordered: boolean
  number: number
  rest: string
}

function markerOf(line: string): Marker | null {
  const match = ITEM.exec(line)
  if (!match) return null
  const [, space = '', sign = '', rest = ''] = match
  const ordered = /\d/.test(sign)
  return { indent: widthOf(space), ordered, number: ordered ? Number.parseInt(sign, 10) : 1, rest }
}

const widthOf = (space: string) => space.replaceAll('\t', '    ').length
const indentOf = (line: string) => widthOf(/^\s*/.exec(line)?.[0] ?? '')

/** Whether a line begins an item that has a text. */
export function startsItem(line: string): boolean {
  const marker = markerOf(line)
  return marker !== null && marker.indent <= MAX_INDENT && marker.rest !== ''
}

/** The list that begins at a line, and the line after it; `parse` reads what an item holds. */
export function listAt(
  lines: readonly string[],
  at: number,
  parse: (lines: string[]) => Block[],
): { list: ListBlock; next: number } | null {
  const first = markerOf(lines[at] ?? '')
  if (!first || first.indent > MAX_INDENT || (!first.rest && !first.ordered)) return null
  const items: Block[][] = []
  let next = at
  for (;;) {
    const marker = markerOf(lines[next] ?? '')
    if (!marker || marker.ordered !== first.ordered || marker.indent > first.indent + 1) break
    if (marker.indent < first.indent) break
    const item = itemAt(lines, next, marker)
    items.push(parse(item.lines))
    next = item.next
  }
  return { list: { kind: 'list', ordered: first.ordered, start: first.number, items }, next }
}

/** The lines of an item without their indentation: those further in, and the blank ones between them. */
function itemAt(lines: readonly string[], at: number, marker: Marker): { lines: string[]; next: number } {
  const own = [marker.rest]
  let next = at + 1
  let inner: number | undefined
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (line.trim() === '') {
      const after = lines.slice(next + 1, next + 3).find((candidate) => candidate.trim() !== '')
      const goesOn = after !== undefined && (indentOf(after) > marker.indent + 1 || isSibling(after, marker))
      if (!goesOn) break
      own.push('')
      continue
    }
    const indent = indentOf(line)
    if (indent <= marker.indent + 1) {
      const lazy = !markerOf(line) && own.at(-1) !== '' && indent > marker.indent
      if (!lazy) break
    }
    inner ??= indent
    own.push(line.replaceAll('\t', '    ').slice(Math.min(inner, indent)))
  }
  return { lines: own, next }
}

function isSibling(line: string, { indent, ordered }: Marker): boolean {
  const other = markerOf(line)
  return other !== null && other.ordered === ordered && Math.abs(other.indent - indent) <= 1
}
