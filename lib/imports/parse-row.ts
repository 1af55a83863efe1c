import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js'
import { unescapeCell } from '@/lib/csv/cells'
import { normalizeEmail, normalizePhone } from '@/lib/customers/contact'
import { parseBirthDate } from './birth-date'
import type { Columns, Field } from './columns'

/** A row as public.import_customers takes it; what the file leaves empty is absent. `line` counts from 1. */
export interface ImportRow {
  line: number
  email?: string
  phone?: string
  first_name?: string
  last_name?: string
  birth_date?: string
  company?: string
  job_title?: string
  address?: string
  notes?: string
  tags?: string[]
}

/** The longest text of each field, in characters. */
const TEXTS = {
  first_name: 120,
  last_name: 120,
  company: 200,
  job_title: 200,
  address: 500,
  notes: 2000,
} as const
const LABELS: Partial<Record<Field, string>> = {
  first_name: 'first name',
  last_name: 'last name',
  job_title: 'job title',
}
const WITHOUT_IT = 'imported without it'
const WITHOUT_THEM = 'imported without them'
const MAX_TAGS = 50
const MAX_TAG = 60
const MAX_PHONE = 40

/** A row as it was read: null when it cannot be imported, and everything that is wrong with it. */
export interface ParsedRow {
  row: ImportRow | null
  problem: string | null
}

/**
 * A data row of the file as a customer's data. A value that cannot be understood is left out and reported, and
 * the person imported all the same, as long as an e-mail or a phone is left; a row with cells beyond the header
 * is not, for its values stand in the wrong columns. The reasons hold no personal data.
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
  const cell = (field: Field) =>
    columns
      .get(field)
      ?.map((index) => unescapeCell(cells[index] ?? '').trim())
      .find(Boolean) ?? ''

  const misplaced = cells.slice(width).some((extra) => extra.trim() !== '')
  if (misplaced) reasons.push('it has more cells than the header')
  const email = cell('email')
  if (email) row.email = normalizeEmail(email) ?? fail(reasons, 'the email is not valid')
  const phone = cell('phone')
  if (phone) row.phone = phoneOf(phone, cell('country_code'), reasons)
  if (!email && !phone) reasons.push('it has neither an email nor a phone')
  const birthday = cell('birth_date')
  if (birthday)
    row.birth_date = parseBirthDate(birthday, today) ?? fail(reasons, 'the birth date is not valid')
  for (const [field, limit] of Object.entries(TEXTS) as [keyof typeof TEXTS, number][]) {
    const text = tidy(cell(field), field === 'address' || field === 'notes')
    if (text.length > limit)
      reasons.push(`the ${LABELS[field] ?? field} is longer than ${limit.toLocaleString('en')} characters`)
    else if (text) row[field] = text
  }
  const tags = [...new Set(cell('tags').split(/[;,]/).map(oneLine))].filter(Boolean)
  if (tags.length > MAX_TAGS || tags.some((tag) => tag.length > MAX_TAG))
    reasons.push(`it has more than ${MAX_TAGS} tags or one longer than ${MAX_TAG} characters`)
  else if (tags.length > 0) row.tags = tags
  const problem = reasons.join('; ')
  if (misplaced || !(row.email || row.phone)) return { row: null, problem }
  const without = reasons.length === 1 ? WITHOUT_IT : WITHOUT_THEM
  return { row, problem: problem === '' ? null : `${problem}; ${without}` }
}

function fail(reasons: string[], reason: string): undefined {
  reasons.push(reason)
}

/** The contract's rule: with a country code `+`, the code without its `+` (or 00), the phone; Spain without. */
function phoneOf(phone: string, code: string, reasons: string[]): string | undefined {
  let whole = phone
  if (code && !/^(\+|00)/.test(phone)) {
    const country = code.toUpperCase()
    const digits = isSupportedCountry(country)
      ? getCountryCallingCode(country)
      : code.replace(/^(\+|00)\s*/, '')
    if (!/^\d{1,4}$/.test(digits)) return fail(reasons, 'the country code is not valid')
    whole = `+${digits}${phone}`
  }
  const normalized = whole.length > MAX_PHONE ? null : normalizePhone(whole)
  return normalized ?? fail(reasons, 'the phone is not valid')
}

const oneLine = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

function tidy(text: string, severalLines: boolean): string {
  return severalLines ? text.normalize('NFC').replace(/\r\n?/g, '\n').trim() : oneLine(text)
}
