import type { FaultName } from './faults'
import type { PmsRow, TruthRow } from './types'

/** One accepted request (right key, known venue) and the world's rows that went out with the answer. */
interface LedgerEntry {
  /** Sequence number, in order of arrival. */
  at: number
  slug: string
  from: string
  to: string
  page: number
  /** Filled once the answer is written; stays empty for answers that carry no rows. Malformed rows are not here. */
  rows: PmsRow[]
  truths: TruthRow[]
  fault: FaultName | null
}

export interface Ledger {
  readonly entries: LedgerEntry[]
  /** All requests of the protocol, refused ones included. */
  readonly requests: number
  /** The rows delivered in good answers, in order of arrival of their requests. */
  served(slug?: string): PmsRow[]
  /** Accepted requests and delivered rows by venue, also of entries that were dropped. */
  totals(): Record<string, { requests: number; rows: number }>
  clear(): void
}

/** The side of the ledger that the server writes to. */
export interface LedgerWriter extends Ledger {
  countRequest(): void
  begin(request: Pick<LedgerEntry, 'slug' | 'from' | 'to' | 'page' | 'fault'>): LedgerEntry
  deliver(entry: LedgerEntry, truths: TruthRow[]): void
}

/** Creates an empty ledger that keeps the last `limit` entries (default: all). */
export function createLedger(limit = Number.POSITIVE_INFINITY): LedgerWriter {
  const entries: LedgerEntry[] = []
  const totals = new Map<string, { requests: number; rows: number }>()
  let requests = 0
  let sequence = 0

  function total(slug: string) {
    const known = totals.get(slug) ?? { requests: 0, rows: 0 }
    totals.set(slug, known)
    return known
  }

  return {
    entries,
    get requests() {
      return requests
    },
    served: (slug) => entries.filter((entry) => !slug || entry.slug === slug).flatMap((entry) => entry.rows),
    totals: () => Object.fromEntries(totals),
    clear() {
      entries.length = 0
      totals.clear()
      requests = 0
    },
    countRequest() {
      requests++
    },
    begin(request) {
      sequence++
      const entry: LedgerEntry = { at: sequence, ...request, rows: [], truths: [] }
      entries.push(entry)
      if (entries.length > limit) entries.shift()
      total(entry.slug).requests++
      return entry
    },
    deliver(entry, truths) {
      entry.truths = truths
      entry.rows = truths.map((truth) => truth.row)
      total(entry.slug).rows += truths.length
    },
  }
}
