/**
 * `times`: how many requests fail before the fault heals; default: until it is cleared. `after`: how many are answered
 * well before it begins; default 0.
 */
export type Fault = { times?: number; after?: number } & (
  | { kind: 'latency'; ms: number }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'rate_limit'; retryAfter: number }
  | { kind: 'error'; status?: number }
  | { kind: 'invalid_json' }
  | { kind: 'html' }
  | { kind: 'refused' }
  | { kind: 'answer'; body: string }
  | { kind: 'malformed_rows'; rows?: unknown[] }
  | { kind: 'large'; rows: number }
)

export type FaultName = Fault['kind']

export interface FaultSwitches {
  /** Switches a venue's fault on, or off with null. */
  set(slug: string, fault: Fault | null): void
  clear(): void
  /** The fault for the next request of a venue; counts down `times`. */
  take(slug: string): Fault | null
}

/** Creates the switches, all off. */
export function createFaults(): FaultSwitches {
  const faults = new Map<string, { fault: Fault; left: number; ahead: number }>()

  return {
    set(slug, fault) {
      const { times = Number.POSITIVE_INFINITY, after = 0 } = fault ?? {}
      if (fault) faults.set(slug, { fault, left: times, ahead: after })
      else faults.delete(slug)
    },
    clear: () => faults.clear(),
    take(slug) {
      const active = faults.get(slug)
      if (!active || active.left <= 0 || active.ahead-- > 0) return null
      active.left--
      return active.fault
    },
  }
}

/** Reads a fault from parsed JSON; null when it is none, or a number in it is out of range. */
export function parseFault(value: unknown): Fault | null {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null
  const fields: Record<string, unknown> = { ...value }
  const { times, after, ms, retryAfter, status, rows } = fields
  if (times !== undefined && !isCount(times, 1, 1_000_000)) return null
  if (after !== undefined && !isCount(after, 0, 1_000_000)) return null
  const base = { ...(times === undefined ? {} : { times }), ...(after === undefined ? {} : { after }) }
  switch (fields.kind) {
    case 'hang':
    case 'reset':
    case 'invalid_json':
    case 'html':
    case 'refused':
      return { ...base, kind: fields.kind }
    case 'latency':
      return isCount(ms, 0, 600_000) ? { ...base, kind: 'latency', ms } : null
    case 'rate_limit':
      return isCount(retryAfter, 0, 86_400) ? { ...base, kind: 'rate_limit', retryAfter } : null
    case 'error':
      if (status === undefined) return { ...base, kind: 'error' }
      return isCount(status, 400, 599) ? { ...base, kind: 'error', status } : null
    case 'malformed_rows':
      if (rows === undefined) return { ...base, kind: 'malformed_rows' }
      return Array.isArray(rows) ? { ...base, kind: 'malformed_rows', rows } : null
    case 'large':
      return isCount(rows, 0, 1_000_000) ? { ...base, kind: 'large', rows } : null
    default:
      return null
  }
}

function isCount(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
}
