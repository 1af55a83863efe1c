import { fetchReservations, type PmsConnection, type PmsQuery } from '../client'
import { PmsError } from '../errors'
import { type PmsReservation, parseRow } from '../parse-row'
import type { SyncIssue } from './issues'

/** A location's answer: valid rows by id (of duplicates the last), how many there were, what was wrong. */
export interface LocationAnswer {
  rows: PmsReservation[]
  received: number
  issues: SyncIssue[]
}

// A PMS gone mad must not fill the answer and the log of the run.
const MAX_ISSUES = 500

/**
 * Fetches and parses everything the PMS has for a location. A failure on the way is an issue; the rows
 * that came before it are kept.
 */
export async function readLocation(
  connection: PmsConnection,
  query: PmsQuery,
  location: { id: string; name: string },
): Promise<LocationAnswer> {
  const rows = new Map<string, PmsReservation>()
  const issues: SyncIssue[] = []
  const place = { location_id: location.id, location: location.name }
  let index = 0
  let received = 0
  try {
    for await (const page of fetchReservations(connection, query)) {
      for (const input of page) {
        const parsed = parseRow(input)
        if (parsed.ok) {
          received++
          rows.set(parsed.row.external_id, parsed.row)
          if (parsed.row.status === null) issues.push({ ...place, ...unknownStatus(parsed.row) })
        } else {
          issues.push({
            ...place,
            code: parsed.problem,
            reservation: parsed.id ?? `#${index}`,
            detail: parsed.detail?.slice(0, 40) ?? null,
          })
        }
        index++
      }
    }
  } catch (error) {
    if (!(error instanceof PmsError)) throw error
    issues.push({ ...place, code: error.code, reservation: null, detail: error.message })
  }
  return { rows: [...rows.values()], received, issues: capped(issues, place) }
}

function unknownStatus(row: PmsReservation): Pick<SyncIssue, 'code' | 'reservation' | 'detail'> {
  return {
    code: 'unknown_status',
    reservation: row.external_id,
    detail: row.pms_status?.slice(0, 40) ?? null,
  }
}

function capped(issues: SyncIssue[], place: Pick<SyncIssue, 'location' | 'location_id'>): SyncIssue[] {
  if (issues.length <= MAX_ISSUES) return issues
  const rest: SyncIssue = {
    ...place,
    code: 'more',
    reservation: null,
    detail: String(issues.length - MAX_ISSUES),
  }
  // A failure of the whole location comes last and matters most.
  return [...issues.filter((issue) => issue.reservation === null), ...issues.slice(0, MAX_ISSUES), rest]
}
