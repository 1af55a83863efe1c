import { addDays } from '@/lib/dates'

/** A month `YYYY-MM`. */
export const MONTH = /^(19[7-9]\d|20\d\d)-(0[1-9]|1[0-2])$/

/** Returns the month that is some months later (earlier when negative). */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** Returns the weeks that touch a month, Monday first: seven dates each. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const monday = addDays(first, -((new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7))
  const weeks: string[][] = []
  for (let start = monday; start.slice(0, 7) <= month; start = addDays(start, 7))
    weeks.push(Array.from({ length: 7 }, (_, day) => addDays(start, day)))
  return weeks
}
