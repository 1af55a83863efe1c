import type { Messages } from 'next-intl'

type Reasons = Messages['client']['import']['reasons']

/** What is wrong with a row: a sentence, and the number in it. */
interface Reason {
  key: keyof Reasons
  count: number
}

const REASONS: readonly [RegExp, keyof Reasons][] = [
  [/more cells than the header/, 'tooManyCells'],
  [/neither an email nor a phone/, 'noContact'],
  [/the email is not valid/, 'email'],
  [/the phone is not valid/, 'phone'],
  [/country code is not valid/, 'countryCode'],
  [/birth date is not valid/, 'birthDate'],
  [/ is longer than [\d,]+ characters/, 'tooLong'],
  [/more than \d+ tags/, 'tags'],
  [/a quote is not closed/, 'quotes'],
  [/longer than 64 KB/, 'rowTooLong'],
  [/only the first 5,000 rows are processed; ([\d,]+) more/, 'beyondLimit'],
  [/imported without it$/, 'withoutIt'],
  [/imported without them$/, 'withoutThem'],
  [/the database refused it/, 'refused'],
  [/the import was cancelled here; ([\d,]+) rows/, 'cancelled'],
]

/** Takes apart a line such as `Row 7: the email is not valid; the phone is not valid`: its row and the reasons. */
export function readErrorLine(line: string): { row: number; reasons: Reason[] } {
  const [, row, text = line] = /^Row (\d+): (.*)$/.exec(line) ?? []
  return { row: Number(row ?? 0), reasons: readReasons(text) }
}

/** The reasons of a row, as the sentences for them. */
export function readReasons(text: string): Reason[] {
  const reasons = REASONS.flatMap(([pattern, key]) => {
    const found = pattern.exec(text)
    return found ? [{ key, count: Number((found[1] ?? '0').replaceAll(',', '')) }] : []
  })
  return reasons.length > 0 ? reasons : [{ key: 'other', count: 0 }]
}
