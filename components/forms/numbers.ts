/** Which numbers a field takes. */
export interface NumberKind {
  /** The most decimals; without any it takes whole numbers. */
  decimals?: number | undefined
  /** Whether it is an amount in EUR, which may be written with its sign. */
  money?: boolean | undefined
}

/** An amount in EUR. */
export const EUR = { decimals: 2, money: true } as const satisfies NumberKind

/** What is wrong with a text that is no number of its kind. */
export type NumberProblem = 'unreadable' | 'whole' | 'decimals'

/** Formats a number as people type it in that language, without grouping: `readNumber` reads it back. */
export function showNumber(value: number, locale: string): string {
  const plain = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
  return locale === 'es' ? plain.replace('.', ',') : plain
}

/** The number in a text as people write it in that language; null for any other text, and for too many decimals. */
export function readNumber(text: string, locale: string, kind: NumberKind = {}): number | null {
  const plain = plainNumber(text, locale, kind)
  return plain === null || decimalsOf(plain) > (kind.decimals ?? 0) ? null : Number(plain)
}

/** The number in a text for the API. Other text goes as it was typed: the API refuses it and names its field. */
export const numberOrText = (text: string, locale: string, kind: NumberKind = {}): number | string =>
  readNumber(text, locale, kind) ?? text.trim()

/** Says why `readNumber` does not read a text; null when it does, and for an empty one. */
export function numberProblem(text: string, locale: string, kind: NumberKind = {}): NumberProblem | null {
  if (text.trim() === '' || readNumber(text, locale, kind) !== null) return null
  if (!kind.decimals) return 'whole'
  return plainNumber(text, locale, kind) === null ? 'unreadable' : 'decimals'
}

/** The attributes of an input for such numbers. Its length leaves room for grouping and a sign. */
export const numberInput = ({ decimals }: NumberKind = {}) =>
  ({
    type: 'text',
    inputMode: decimals ? 'decimal' : 'numeric',
    maxLength: 24,
    autoComplete: 'off',
  }) as const

const decimalsOf = (plain: string) => plain.split('.')[1]?.length ?? 0

const CURRENCY = /^(?:€|eur)\s*|\s*(?:€|eur|euros?)$/i

/** The number in a text with a decimal point and no grouping. */
function plainNumber(text: string, locale: string, { money }: NumberKind): string | null {
  const amount = money ? text.trim().replace(CURRENCY, '') : text.trim()
  const [, minus, digits] = /^([-−]?)\s*(\d.*)$/.exec(amount) ?? []
  if (digits === undefined) return null
  const spaced = /^[1-9]\d{0,2}(\s\d{3})+(?!\d)/.test(digits) ? digits.replace(/\s/g, '') : digits
  const plain = locale === 'es' ? readDigits(spaced, '.', ',') : readDigits(spaced, ',', '.')
  return plain && (minus ? `-${plain}` : plain)
}

function readDigits(digits: string, group: string, point: string): string | null {
  const [whole = '', decimals, ...more] = digits.split(point)
  if (more.length > 0 || decimals === '' || /\D/.test(decimals ?? '')) return null
  const grouped = whole.split(group)
  const [first = '', second, third] = grouped
  if (grouped.some((part) => !/^\d{1,15}$/.test(part))) return null
  const tail = decimals === undefined ? '' : `.${decimals}`
  if (second === undefined) return first + tail
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && grouped.slice(1).every((part) => part.length === 3)
  if (isGrouped) return grouped.join('').length > 15 ? null : grouped.join('') + tail
  // "1.5" in Spanish: one point without three digits behind it is a decimal point.
  const isOther = third === undefined && decimals === undefined && (second.length !== 3 || first === '0')
  return isOther ? `${first}.${second}` : null
}
