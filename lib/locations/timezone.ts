import { z } from 'zod'
import { problemAs } from '@/lib/http/issues'

/** Postgres checks the name once more, against its own list. */
function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The name of a time zone, such as Europe/Madrid. */
export const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, problemAs('unknown', 'unknown time zone'))
  .meta({ example: 'Europe/Madrid' })
