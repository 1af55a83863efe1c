import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import { canonicalEmail } from '@/lib/contact/email'
import { NO_PHONE, type ReadPhones, readPhones } from '@/lib/contact/phone'
import { unescapeCell } from '@/lib/csv/cells'
import { fieldsWith, GUEST_FIELDS, TEXT_FIELDS } from '@/lib/customers/guest-fields'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { clean } from '@/lib/text/clean'
import type { Columns, Field } from './columns'
import { readLanguage } from './languages'
import { type ReasonKey, sentence } from './reasons'

/** The fields that a file brings as they stand, in the order of their problems. */
const TEXT_COLUMNS = [...fieldsWith({ type: 'name' }), ...TEXT_FIELDS, ...fieldsWith({ type: 'notes' })]
type TextField = (typeof TEXT_COLUMNS)[number]

/** A row in the form of public.import_customers; empty cells are absent. `line` counts from 1. */
export interface ImportRow extends Partial<Record<TextField, string>> {
  line: number
  email?: string
  phone?: string
  /** Kept as further phones: a booking with one finds the guest, messages do not use them. */
  further_phones?: string[]
  birth_date?: string
  language?: GuestLanguage
  tags?: string[]
}

const MAX_TAGS = 50
const MAX_TAG = GUEST_FIELDS.tags.csv.limit
const MAX_PHONE = GUEST_FIELDS.phone.csv.limit

/** A parsed row (null when it cannot be imported), and its problems in English sentences. */
export interface ParsedRow {
  row: ImportRow | null
  problem: string | null
}

/**
 * Reads a row of the file as a customer's data. An invalid value is left out and reported; the row is
 * still imported as long as an e-mail or a phone is left. A row with more cells than the header is not imported:
 * its values are in the wrong columns. The reasons contain no personal data.
 */
export function parseRow(
  cells: readonly string[],
  columns: Columns,
  width: number,
  line: number,
  today: string,
): ParsedRow {
  const reasons: string[] = []
  const row: ImportRow = { line }
  const filled = (field: Field) =>
    (columns.get(field) ?? []).map((index) => clean(unescapeCell(cells[index] ?? ''))).filter(Boolean)
  const cell = (field: Field) => filled(field)[0] ?? ''

  const misplaced = cells.slice(width).some((extra) => clean(extra) !== '')
  if (misplaced) reasons.push(sentence('tooManyCells'))
  const email = cell('email')
  if (email) row.email = canonicalEmail(email) ?? fail(reasons, 'email')
  const phone = cell('phone')
  if (phone) Object.assign(row, phonesOf(phone, cell('country_code'), reasons))
  if (!email && !phone) reasons.push(sentence('noContact'))
  const birthday = cell('birth_date')
  if (birthday) row.birth_date = parseBirthDate(birthday, today) ?? fail(reasons, 'birthDate')
  const language = cell('language')
  if (language) row.language = readLanguage(language) ?? fail(reasons, 'language')
  for (const field of TEXT_COLUMNS) {
    const { csv, keepsBoth } = GUEST_FIELDS[field]
    const { limit, lines } = csv
    // Of several columns the first that is filled counts; all notes are kept.
    const values = keepsBoth ? [...new Set(filled(field))] : [cell(field)]
    let text = ''
    for (const value of values) {
      const longer = tidy(`${text}\n${value}`, lines)
      if (longer.length <= limit) text = longer
      else reasons.push(sentence('tooLong', { field: field.replaceAll('_', ' '), limit }))
    }
    if (text) row[field] = text
  }
  let tags: string[] = []
  for (const column of filled('tags')) {
    const more = [...new Set([...tags, ...column.split(/[;,]/).map(oneLine)])].filter(Boolean)
    if (more.length <= MAX_TAGS && more.every((tag) => tag.length <= MAX_TAG)) tags = more
    else reasons.push(sentence('tags', { limit: MAX_TAGS, length: MAX_TAG }))
  }
  if (tags.length > 0) row.tags = tags
  const problem = reasons.join('; ')
  if (misplaced || !(row.email || row.phone)) return { row: null, problem }
  const without = sentence(reasons.length === 1 ? 'withoutIt' : 'withoutThem')
  return { row, problem: problem === '' ? null : `${problem}; ${without}` }
}

function fail(reasons: string[], key: ReasonKey): undefined {
  reasons.push(sentence(key))
}

/**
 * The numbers of a cell with the country code of its own column (`34`, `+34`, `0034` or `ES`); without a code they are
 * Spanish. The first is the phone.
 */
function phonesOf(
  cell: string,
  code: string,
  reasons: string[],
): Pick<ImportRow, 'phone' | 'further_phones'> {
  const read = phonesWithCode(cell, code)
  if (!read?.phone) reasons.push(sentence(read ? 'phone' : 'countryCode'))
  if (read?.words) reasons.push(sentence('phoneWords'))
  if (!read?.phone) return {}
  return { phone: read.phone, ...(read.further.length > 0 ? { further_phones: read.further } : {}) }
}

/** Null when the code is none. */
function phonesWithCode(cell: string, code: string): ReadPhones | null {
  if (cell.length > MAX_PHONE) return NO_PHONE
  if (!code || /\+|^\(?00/.test(cell)) return readPhones(cell)
  const country = code.toUpperCase()
  if (isSupportedCountry(country)) return readPhones(cell, country)
  const digits = code.replace(/^(\+|00)\s*/, '')
  if (!/^\d{1,4}$/.test(digits)) return null
  // Several countries share a code such as 1 or 44.
  for (const each of getCountries().filter((known) => getCountryCallingCode(known) === digits)) {
    const read = readPhones(cell, each)
    if (read.phone?.startsWith(`+${digits}`)) return read
  }
  return NO_PHONE
}

const oneLine = (text: string) => clean(text).replace(/\s+/g, ' ')

function tidy(text: string, severalLines: boolean): string {
  return severalLines ? clean(text.replace(/\r\n?/g, '\n')) : oneLine(text)
}

const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const EARLIEST = '1900-01-01'

/**
 * A birth date `DD/MM/YYYY` (or `D.M.YYYY`) or `YYYY-MM-DD` as `YYYY-MM-DD`. Null for anything else, for impossible
 * days, before 1900 or after `today` (`YYYY-MM-DD`).
 */
export function parseBirthDate(text: string, today: string): string | null {
  const [, day, month, year] = DAY_FIRST.exec(text) ?? []
  const [, year2, month2, day2] = YEAR_FIRST.exec(text) ?? []
  const parts = [year ?? year2, month ?? month2, day ?? day2]
  if (parts.includes(undefined)) return null
  const iso = parts.map((part) => part?.padStart(2, '0')).join('-')
  const date = new Date(`${iso}T00:00:00Z`)
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
  return exists && iso >= EARLIEST && iso <= today ? iso : null
}
