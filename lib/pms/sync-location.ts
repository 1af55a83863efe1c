import 'server-only'
import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { type HalvingBudget, saveByHalves } from '@/lib/db/save-by-halves'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import type { PmsConfig } from '@/lib/integrations/services/pms'
import { log } from '@/lib/log'
import { checkedBaseUrl, fetchReservations, type PmsConnection, PmsError, type PmsQuery } from './client'
import { type PmsReservation, parseRow, shortId } from './parse-row'
import { isFailure, type SyncIssue } from './sync-issues'

/** A location to synchronise: active, with a PMS id. */
export interface SyncedLocation {
  id: string
  name: string
  pms_id: string
  timezone: string
  looked_ahead_at: string | null
  ahead_tried_at: string | null
  ahead_until: string | null
}

/**
 * The result for some days of a location: `count` valid rows of its own; `failed` when not all were fetched and saved.
 * `ids` are those of all rows, malformed ones included; null unless every page came and was saved.
 */
interface DaysReport extends SaveCounts {
  count: number
  failed: boolean
  ids: string[] | null
  issues: SyncIssue[]
}

/**
 * What every step of a sync needs: the service client, the PMS, the signal that ends the run, and who reads its
 * problems (some are named once a day to each).
 */
export interface SyncTools {
  db: Db
  config: PmsConfig
  signal: AbortSignal
  reader: string
}

/** Fetches a location's reservations between two dates and saves them. A failure becomes one of the issues. */
export async function syncDays(
  { config, ...tools }: SyncTools,
  location: SyncedLocation,
  days: { from: string; to: string },
  now: Date,
): Promise<DaysReport> {
  const { PMS_TIMEOUT_MS, ALLOW_LOOPBACK_UPSTREAMS } = env()
  const { signal } = tools
  const saved: SaveCounts = { created: 0, updated: 0, customers: 0 }
  const refused: RefusedRow[] = []
  const held: string[] = []
  const own = (code: SyncIssue['code'], detail: string | null): SyncIssue => ({
    location_id: location.id,
    location: location.name,
    code,
    reservation: null,
    detail,
  })
  try {
    const baseUrl = checkedBaseUrl(config.baseUrl, ALLOW_LOOPBACK_UPSTREAMS)
    const connection: PmsConnection = { baseUrl, apiKey: config.apiKey, timeoutMs: PMS_TIMEOUT_MS, signal }
    const reading = readLocation(connection, { slug: location.pms_id, ...days }, location)
    const found: Found = { total: saved, refused, held, badEmail: reading.badEmail }
    const problem = await saveLocation(tools, location.id, reading.pages, now, found).then(
      () => [],
      (error: unknown) => {
        log().error({ err: error, location: location.name }, 'reservations not saved')
        return [own('not_saved', 'the reservations could not be saved')]
      },
    )
    const lost = refused.map(({ id, reason }) => ({
      ...own('refused_row', reason),
      reservation: shortId(id),
    }))
    const elsewhere = held.map((id) => ({
      ...own('held_elsewhere', null),
      reservation: shortId(id),
    }))
    const issues = [...problem, ...lost, ...capped([...elsewhere, ...reading.issues()], location)]
    const failed = issues.some(isFailure)
    return {
      ...saved,
      count: reading.received() - refused.length,
      failed,
      ids: failed ? null : reading.ids(),
      issues,
    }
  } catch (error) {
    if (!(error instanceof PmsError)) throw error
    return { ...saved, count: 0, failed: true, ids: null, issues: [own(error.code, error.message)] }
  }
}

/** The rows of a location, with counts and issues that are complete once all pages are read. */
interface LocationReading {
  /** Valid rows, page by page; when an id comes again, the later row counts. */
  pages: AsyncGenerator<PmsReservation[]>
  received: () => number
  /** The ids of all rows, each once; null when they may not be all. */
  ids: () => string[] | null
  /** Adds the issue that a reservation's e-mail is none. */
  badEmail: (reservation: string) => void
  issues: () => SyncIssue[]
}

// A misbehaving PMS must not fill the response and the log of the run.
const MAX_ISSUES = 500

/**
 * Fetches and parses all rows of a location, one page at a time: a large response is never in memory as a whole.
 * A failure becomes an issue and ends the pages.
 */
function readLocation(
  connection: PmsConnection,
  query: PmsQuery,
  location: { id: string; name: string },
): LocationReading {
  const issues: SyncIssue[] = []
  const place = { location_id: location.id, location: location.name }
  const ids = new Set<string>()
  let isComplete = false
  let index = 0
  let received = 0

  function parsePage(page: readonly unknown[]): PmsReservation[] {
    const rows: PmsReservation[] = []
    for (const input of page) {
      const parsed = parseRow(input)
      const id = parsed.ok ? parsed.row.external_id : parsed.external_id
      if (id !== null) ids.add(id)
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
      for await (const { rows, completes } of fetchReservations(connection, query)) {
        isComplete = completes
        yield parsePage(rows)
      }
    } catch (error) {
      if (!(error instanceof PmsError)) throw error
      issues.push({ ...place, code: error.code, reservation: null, detail: error.message })
    }
  }

  return {
    pages: pages(),
    received: () => received,
    ids: () => (isComplete ? [...ids] : null),
    badEmail: (id) => issues.push({ ...place, code: 'bad_email', reservation: shortId(id), detail: null }),
    issues: () => issues,
  }
}

function unknownStatus(row: PmsReservation): Pick<SyncIssue, 'code' | 'reservation' | 'detail'> {
  return {
    code: 'unknown_status',
    reservation: row.external_id,
    detail: row.pms_status?.slice(0, 40) ?? null,
  }
}

function capped(issues: SyncIssue[], { id, name }: { id: string; name: string }): SyncIssue[] {
  if (issues.length <= MAX_ISSUES) return issues
  const rest: SyncIssue = {
    location_id: id,
    location: name,
    code: 'more',
    reservation: null,
    detail: String(issues.length - MAX_ISSUES),
  }
  // A failure of the whole location must not be cut off.
  const [failures, others] = [true, false].map((isWhole) =>
    issues.filter(({ reservation }) => (reservation === null) === isWhole),
  )
  return [...(failures ?? []), ...(others ?? []).slice(0, MAX_ISSUES), rest]
}

const savedSchema = z.object({
  created: z.number(),
  updated: z.number(),
  customers: z.number(),
  bad_emails: z.array(z.string()).default([]),
  held_elsewhere: z.array(z.string()),
})
type SaveCounts = Pick<z.infer<typeof savedSchema>, 'created' | 'updated' | 'customers'>

/** A row that the database refused: the reservation's PMS id, and the constraint or code. */
interface RefusedRow {
  id: string
  reason: string
}

/**
 * What saving a location's rows comes to: counts, rows that the database refused, the ids of rows that another location
 * holds and that are to be named now, and e-mails that are none.
 */
interface Found {
  total: SaveCounts
  refused: RefusedRow[]
  held: string[]
  badEmail: (reservation: string) => void
}

// One call usually stays well under the 8 s statement limit of the service role; saveByHalves sees to slower databases.
const BATCH_ROWS = 2500
// Enough to find a dozen bad rows in a batch. When every row is bad, the search stops here instead of trying each one.
const HALVING_CALLS = 160

/**
 * Saves a location's rows. Each batch is one SQL function call and transaction, which matches the rows to customers,
 * writes what changed, recomputes every affected customer and raises their tiers. The next pages are read while a batch
 * is saved; at most two are in memory. Adds what comes of it to `found`.
 * @throws DatabaseError; earlier batches stay saved, and `found` has them.
 */
async function saveLocation(
  { db, signal, reader }: Omit<SyncTools, 'config'>,
  locationId: string,
  pages: AsyncIterable<PmsReservation[]>,
  now: Date,
  { total, refused, held, badEmail }: Found,
): Promise<void> {
  const budget: HalvingBudget = { calls: HALVING_CALLS }
  const refuse = ({ external_id }: PmsReservation, reason: string) => {
    refused.push({ id: external_id, reason })
  }
  const save = (batch: PmsReservation[]) => saveByHalves(batch, saveOnce, refuse, budget)
  const saveOnce = async (batch: PmsReservation[]) => {
    const parameters = {
      p_location: locationId,
      p_rows: batch as unknown as Json,
      p_now: now.toISOString(),
      p_reader: reader,
    }
    const counts = savedSchema.parse(
      unwrap(await db.rpc('sync_reservations', parameters).abortSignal(signal)),
    )
    total.created += counts.created
    total.updated += counts.updated
    total.customers += counts.customers
    held.push(...counts.held_elsewhere)
    for (const id of counts.bad_emails) badEmail(id)
  }
  let waiting: PmsReservation[] = []
  let saving = Promise.resolve()
  try {
    for await (const page of pages) {
      waiting = [...waiting, ...page]
      while (waiting.length >= BATCH_ROWS) {
        await saving
        saving = save(waiting.splice(0, BATCH_ROWS))
        // The await above rethrows a failure; this only avoids an unhandled rejection until then.
        saving.catch(() => {})
      }
    }
    await saving
    if (waiting.length > 0) await save(waiting)
  } finally {
    // No write may still run when the lease ends.
    await saving.catch(() => {})
  }
}
