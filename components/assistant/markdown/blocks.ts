import { type Inline, parseInline } from './inline'
import { type ListBlock, listAt, startsItem } from './list'
import { type Table, tableAt } from './table'

/** A block of a Markdown text. */
export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'rule' }
  | ListBlock
  | Table

const MAX_DEPTH = 6
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/
const QUOTE = /^ {0,3}> ?/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/

/** Reads Markdown: headings, paragraphs, lists, tables, quotes, code and rules. Raw HTML is text like any other. */
export function parseBlocks(text: string): Block[] {
  return blocksOf(text.replace(/\r\n?/g, '\n').split('\n'), 0)
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.trim() === '') at++
    else {
      const found = blockAt(lines, at, depth)
      blocks.push(found.block)
      at = found.next
    }
  }
  return blocks
}

function blockAt(lines: readonly string[], at: number, depth: number): { block: Block; next: number } {
  const line = lines[at] ?? ''
  const fence = FENCE.exec(line)?.[1]
  if (fence) return codeAt(lines, at, fence)
  const heading = HEADING.exec(line)
  if (heading) {
    const children = parseInline((heading[2] ?? '').trim().replace(/\s#+$/, ''))
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, children }, next: at + 1 }
  }
  if (RULE.test(line)) return { block: { kind: 'rule' }, next: at + 1 }
  const table = tableAt(lines, at)
  if (table) return { block: table.table, next: table.next }
  if (depth < MAX_DEPTH) {
    if (QUOTE.test(line)) return quoteAt(lines, at, depth)
    const list = listAt(lines, at, (inner) => blocksOf(inner, depth + 1))
    if (list) return { block: list.list, next: list.next }
  }
  return paragraphAt(lines, at, depth)
}

function codeAt(lines: readonly string[], at: number, fence: string) {
  let next = at + 1
  const closes = (line: string) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())
  while (next < lines.length && !closes(lines[next] ?? '')) next++
  const text = lines.slice(at + 1, next).join('\n')
  return { block: { kind: 'code', text } as const, next: next + 1 }
}

function quoteAt(lines: readonly string[], at: number, depth: number) {
  let next = at
  while (QUOTE.test(lines[next] ?? '')) next++
  const inner = lines.slice(at, next).map((line) => line.replace(QUOTE, ''))
  return { block: { kind: 'quote', blocks: blocksOf(inner, depth + 1) } as const, next }
}

function paragraphAt(lines: readonly string[], at: number, depth: number) {
  let next = at + 1
  while (next < lines.length && !interrupts(lines, next, depth)) next++
  const text = lines.slice(at, next).map((line) => line.trim())
  return { block: { kind: 'paragraph', children: parseInline(text.join('\n')) } as const, next }
}

function interrupts(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '' || FENCE.test(line) || HEADING.test(line) || RULE.test(line)) return true
  if (tableAt(lines, at)) return true
  return depth < MAX_DEPTH && (QUOTE.test(line) || startsItem(line))
}
