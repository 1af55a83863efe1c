import type { Messages } from 'next-intl'

/**
 * The problems of a row, by the key of their text in `client.import.reasons`. Integrators read these English sentences
 * in the error lines, so they must not change; braces mark placeholders.
 */
const SENTENCES = {
  tooManyCells: 'it has more cells than the header',
  noContact: 'it has neither an email nor a phone',
  email: 'the email is not valid',
  phone: 'the phone is not valid',
  phoneWords: 'the words beside the phone cannot be imported',
  countryCode: 'the country code is not valid',
  birthDate: 'the birth date is not valid',
  language: 'the language is not one that we know',
  tooLong: 'the {field} is longer than {limit} characters',
  tags: 'it has more than {limit} tags or one longer than {length} characters',
  quotes: 'a quote is not closed or not doubled',
  rowTooLong: 'it is longer than 64 KB',
  beyondLimit: 'only the first 5,000 rows are processed; {count} more were not',
  withoutIt: 'imported without it',
  withoutThem: 'imported without them',
  refused: 'the database refused it ({problem})',
  cancelled: 'the import was cancelled here; {count} rows were not imported',
} as const satisfies Partial<Record<keyof Messages['client']['import']['reasons'], string>>
export type ReasonKey = keyof typeof SENTENCES

/** The English sentence of a reason. */
export function sentence(key: ReasonKey, filled: Readonly<Record<string, string | number>> = {}): string {
  return SENTENCES[key].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = filled[name] ?? ''
    return typeof value === 'number' ? value.toLocaleString('en') : value
  })
}

/** The problem of a row, to be shown in the reader's language. `count` is the number in the sentence. */
interface Reason {
  key: ReasonKey | 'other'
  count: number
}

// Only the sentences are stored, so a page recognises them again: the one place where code reads an error's text.
const PATTERNS = Object.entries(SENTENCES).map(([key, text]) => {
  const literal = text.replace(/[()]/g, '\\$&')
  const filled = literal.replace('{count}', '([\\d,]+)').replace(/\{\w+\}/g, '.+')
  return [key as ReasonKey, new RegExp(`(?:^|; )${filled}(?:$|; )`)] as const
})

/** Takes apart a line such as `Row 7: the email is not valid; the phone is not valid`: its row and the reasons. */
export function readErrorLine(line: string): { row: number; reasons: Reason[] } {
  const [, row, text = line] = /^Row (\d+): (.*)$/.exec(line) ?? []
  return { row: Number(row ?? 0), reasons: readReasons(text) }
}

/** The reasons in a text of one or several sentences. */
export function readReasons(text: string): Reason[] {
  const reasons = PATTERNS.flatMap(([key, pattern]) => {
    const found = pattern.exec(text)
    return found ? [{ key, count: Number((found[1] ?? '0').replaceAll(',', '')) }] : []
  })
  return reasons.length > 0 ? reasons : [{ key: 'other', count: 0 }]
}
