import { fetchReservations, type PmsConnection, type PmsQuery } from '../client'
import { PmsError } from '../errors'
import { type PmsReservation, parseRow } from '../parse-row'
import type { SyncIssue } from './issues'

/** What came of reading a location; complete once its pages have been read. */
interface LocationReading {
  /** Valid rows, page by page; the same id may come again, and then the later row holds. */
  pages: AsyncGenerator<PmsReservation[]>
  received: () => number
  issues: () => SyncIssue[]
}

// A PMS gone mad must not fill the answer and the log of the run.
const MAX_ISSUES = 500

/**
 * Fetches and parses everything the PMS has for a location, a page at a time: a large answer is never in
 * memory as a whole. A failure on the way is an issue and ends the pages.
 */
export function readLocation(
  connection: PmsConnection,
  query: PmsQuery,
  location: { id: string; name: string },
): LocationReading {
  const issues: SyncIssue[] = []
  const place = { location_id: location.id, location: location.name }
  let index = 0
  let received = 0

  function parsePage(page: unknown[]): PmsReservation[] {
    const rows: PmsReservation[] = []
    for (const input of page) {
      const parsed = parseRow(input)
      if (parsed.ok) {
        rows.push(parsed.row)
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
    received += rows.length
    return rows
  }

  async function* pages() {
    try {
      for await (const page of fetchReservations(connection, query)) yield parsePage(page)
    } catch (error) {
      if (!(error instanceof PmsError)) throw error
      issues.push({ ...place, code: error.code, reservation: null, detail: error.message })
    }
  }

  return { pages: pages(), received: () => received, issues: () => capped(issues, place) }
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
