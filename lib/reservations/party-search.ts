import { fold } from '@/lib/text/fold'
import { phoneDigits } from '@/lib/text/phone-digits'

/**
 * What was typed as regular expressions that JavaScript and Postgres read alike, so that the board and
 * find_reservations keep one rule. A reservation is found by all `names` in its name, by all `starts` in its name and
 * note, by the `phone`, or by `text` as its table or code.
 */
export interface PartySearch {
  text: string
  phone: string
  /** One for each word: a part of the name. */
  names: string[]
  /** One for each word: the beginning of a word of the name or the note. */
  starts: string[]
}

const WORDS = 8
/** A phone is known by its last four digits. */
const DIGITS = 4
/** A word in which one typing error is forgiven. A number has none: its neighbours are other tables and phones. */
const FORGIVEN = /^[^\d\ud800-\udfff]{5,24}$/

/** The search for a typed text; null when there is nothing to look for. */
export function partySearch(typed: string): PartySearch | null {
  const text = fold(typed).replace(/^(?:mesa|table) /, '')
  const words = text.split(' ').slice(0, WORDS).map(literal)
  const digits = phoneDigits(text)
  return text
    ? {
        text,
        phone: digits.length < DIGITS ? '' : digits,
        names: words,
        starts: words.map((word) => `(?:^|\\W)${word}`),
      }
    : null
}

/** The same search with one typing error in each long word; null when it has none. For when nothing was found. */
export function forgivingSearch(typed: string): PartySearch | null {
  const words = fold(typed).split(' ').slice(0, WORDS)
  const names = words.map((word) => (FORGIVEN.test(word) ? nearly(word) : literal(word)))
  return words.some((word) => FORGIVEN.test(word)) ? { text: '', phone: '', names, starts: [] } : null
}

/** The beginning of a word at Damerau distance 1: a letter wrong, missing or too many, or two that changed places. */
function nearly(word: string): string {
  const part = (from: number, to?: number) => literal(word.slice(from, to))
  const errors = Array.from(word, (letter, at) => {
    const swapped = part(at + 1, at + 2) + literal(letter) + part(at + 2)
    return `${part(0, at)}(?:.?${part(at + 1)}|.${part(at)}|${swapped})`
  })
  return `(?:^| )(?:${errors.join('|')})`
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

interface Findable {
  name: string | null
  phone: string | null
  table_name?: string | null
  notes: string | null
}

/** The parties that a typed text finds, with typing errors only when it finds none without. */
export function findParties<P extends Findable>(parties: readonly P[], typed: string): P[] {
  const found = [partySearch(typed), forgivingSearch(typed)].map((search) =>
    search ? parties.filter((party) => isFound(party, search)) : [],
  )
  return found.find(({ length }) => length > 0) ?? []
}

function isFound({ name, phone, table_name, notes }: Findable, search: PartySearch): boolean {
  const every = (patterns: string[], text: string) =>
    patterns.length > 0 && patterns.every((pattern) => new RegExp(pattern, 's').test(text))
  const named = fold(name ?? '')
  const tables = fold(table_name ?? '').split('+')
  return (
    every(search.names, named) ||
    every(search.starts, `${named} ${fold(notes ?? '')}`) ||
    (search.phone !== '' && (phone ?? '').replace(/\D/g, '').includes(search.phone)) ||
    (search.text !== '' && [tables.join('+'), ...tables.map((table) => table.trim())].includes(search.text))
  )
}
