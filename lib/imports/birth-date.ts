const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const EARLIEST = '1900-01-01'

/**
 * A birth date `DD/MM/YYYY` (or `D.M.YYYY`) or `YYYY-MM-DD` as `YYYY-MM-DD`. Null for anything else, for days
 * that no calendar has, before 1900 or after `today` (`YYYY-MM-DD`).
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
