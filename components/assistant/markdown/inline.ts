import { linkAt } from './link'

/** A piece of running text. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'strike'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' }

const MAX_DEPTH = 6
const MARKS = { '**': 'strong', __: 'strong', '~~': 'strike', '*': 'emphasis', _: 'emphasis' } as const
type Mark = keyof typeof MARKS

// What can begin something; all before it is plain text.
const SPECIAL = /[\\`*_~[!<\n]|https?:\/\//g
const PUNCTUATION = /[!-/:-@[-`{-~]/
const WORD = /[\p{L}\p{N}]/u
const BREAK = /<br\s?\/?>/iy

/** Bold, italics, code, links and line breaks of a text. Everything else, HTML too, is text as it stands. */
export function parseInline(text: string, depth = 0, links = true): Inline[] {
  const found: Inline[] = []
  const state: State = { text, depth, links, unclosed: new Set() }
  let plain = ''
  const push = (piece: Inline) => {
    if (plain) found.push({ kind: 'text', text: plain })
    plain = ''
    found.push(piece)
  }
  for (let at = 0; at < text.length; ) {
    SPECIAL.lastIndex = at
    const start = SPECIAL.exec(text)?.index ?? text.length
    plain += text.slice(at, start)
    at = start
    if (at === text.length) break
    const piece = pieceAt(state, at)
    if (piece?.what) push(piece.what)
    else plain += piece ? piece.text : text[at]
    at = piece?.end ?? at + 1
  }
  if (plain) found.push({ kind: 'text', text: plain })
  return found
}

interface State {
  text: string
  depth: number
  /** False within a link, which holds no other. */
  links: boolean
  /** Once nothing closes a mark, nothing further on does: long texts stay linear. */
  unclosed: Set<string>
}

interface Piece {
  end: number
  what?: Inline
  /** Plain text it stands for, where it is nothing else. */
  text?: string
}

function pieceAt(state: State, at: number): Piece | null {
  const { text } = state
  const first = text[at] ?? ''
  const second = text[at + 1] ?? ''
  if (first === '\n') return { end: at + 1, what: { kind: 'break' } }
  if (first === '\\') return PUNCTUATION.test(second) ? { end: at + 2, text: second } : null
  if (first === '`') return codeAt(state, at)
  BREAK.lastIndex = at
  if (first === '<' && BREAK.test(text)) return { end: BREAK.lastIndex, what: { kind: 'break' } }
  if ('[!<h'.includes(first)) return state.links ? linkPiece(state, at) : null
  return markedAt(state, at, first === second ? first + second : first)
}

function linkPiece(state: State, at: number): Piece | null {
  const link = linkAt(state.text, at)
  if (!link) return null
  const { label, href, end } = link
  if (href === null) return { end, text: label }
  const children = inside(state, label, false)
  return {
    end,
    what: { kind: 'link', href, children: children.length > 0 ? children : [{ kind: 'text', text: href }] },
  }
}

const inside = ({ depth, links }: State, text: string, linksInside = links): Inline[] =>
  depth < MAX_DEPTH ? parseInline(text, depth + 1, linksInside) : [{ kind: 'text', text }]

function codeAt({ text, unclosed }: State, at: number): Piece {
  let end = at
  while (text[end] === '`') end++
  const fence = text.slice(at, end)
  const literal = { end, text: fence }
  if (unclosed.has(fence)) return literal
  let close = text.indexOf(fence, end)
  while (close !== -1 && text[close + fence.length] === '`') {
    while (text[close] === '`') close++
    close = text.indexOf(fence, close)
  }
  if (close === -1) {
    unclosed.add(fence)
    return literal
  }
  return { end: close + fence.length, what: { kind: 'code', text: text.slice(end, close).trim() } }
}

function markedAt(state: State, at: number, mark: string): Piece | null {
  const { text, unclosed } = state
  if (!(mark in MARKS)) return null
  const known = mark as Mark
  const literal = { end: at + mark.length, text: mark }
  const open = at + mark.length
  const next = text[open] ?? ' '
  if (/\s/.test(next) || (mark.includes('_') && WORD.test(text[at - 1] ?? ''))) return literal
  if (unclosed.has(mark)) return literal
  const close = closeOf(text, open, mark)
  if (close === -1) {
    unclosed.add(mark)
    return literal
  }
  const children = inside(state, text.slice(open, close))
  return { end: close + mark.length, what: { kind: MARKS[known], children } }
}

/** Where the mark closes: not after a space; `_` not within a word; single ones not where there are two. */
function closeOf(text: string, from: number, mark: string): number {
  const sign = mark.slice(0, 1)
  for (let at = text.indexOf(mark, from + 1); at !== -1; at = text.indexOf(mark, at)) {
    let end = at
    while (text[end] === sign) end++
    const closes = !/\s/.test(text[at - 1] ?? ' ') && !(sign === '_' && WORD.test(text[end] ?? ''))
    const length = end - at
    // Of a longer run the last signs close: `**bold *both***`.
    if (closes && (length === mark.length || length > 2)) return end - mark.length
    at = end
  }
  return -1
}
