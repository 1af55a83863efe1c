import type { PmsFailure } from './client'
import type { RowProblem } from './parse-row'

/** A problem of a sync as a code: the API and the home page word it differently. */
export interface SyncIssue {
  location_id: string
  location: string
  code:
    | PmsFailure
    | RowProblem
    | 'unknown_status'
    | 'bad_email'
    | 'refused_row'
    | 'held_elsewhere'
    | 'not_saved'
    | 'not_applied'
    | 'not_cancelled'
    | 'more'
  /** The reservation's PMS id, or `#` and its index in the response; null for a failure of the whole location. */
  reservation: string | null
  /** The offending value, the PMS' own words or a count; never a URL, a key or contact data. */
  detail: string | null
}

const ROW_REASONS: Partial<Record<SyncIssue['code'], string>> = {
  not_an_object: 'not a reservation',
  no_id: 'no id',
  bad_date: 'not a date',
  bad_time: 'not a time',
  bad_party_size: 'not a party size',
  bad_field: 'malformed field',
  too_long: 'too long',
  refused_row: 'refused by the database',
  unknown_status: 'unknown status',
  bad_email: 'not an e-mail address',
  held_elsewhere: 'held by another location',
}

/** The line of the API's `errors`: `<location>: <reason>` or `<location>: reservation <id>: <reason>`. */
export function formatIssue({ location, code, reservation, detail }: SyncIssue): string {
  if (code === 'more') return `${location}: ${detail} more problems`
  if (code === 'not_applied') return `${location}: no longer in the PMS: ${detail}, not applied`
  if (reservation === null) return `${location}: ${detail}`
  const value = detail === null ? '' : ` "${detail}"`
  return `${location}: reservation ${reservation}: ${ROW_REASONS[code] ?? code}${value}`
}

const NAMED_FAILURES = 10

/** Whether an issue says that a location was not fetched or saved as a whole. */
export function isFailure({ code, reservation }: SyncIssue): boolean {
  return reservation === null && code !== 'more' && code !== 'not_applied' && code !== 'not_cancelled'
}

/** The API's `error` when no location could be synchronised: the failure of each, the first ten by name. */
export function failureText(issues: readonly SyncIssue[]): string {
  const lines = issues.filter(isFailure).map(formatIssue)
  const more = lines.length > NAMED_FAILURES ? [`${lines.length - NAMED_FAILURES} more`] : []
  return `No location could be synchronised: ${[...lines.slice(0, NAMED_FAILURES), ...more].join('; ')}`
}
