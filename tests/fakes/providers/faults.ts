/**
 * What goes wrong with the next requests. `times`: how many; default: until it is cleared. `hang`, `reset` and
 * `error_after` accept the message first; `reject` is the provider's own refusal (4xx with its error body).
 */
export type Fault = { times?: number } & (
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'error_before'; status?: number }
  | { kind: 'error_after'; status?: number }
  | { kind: 'rate_limit'; retryAfter: number }
  | { kind: 'slow'; ms: number }
  | { kind: 'reject'; status: number; code: number | string; message?: string }
  | { kind: 'garbage' }
)

/** One fault at a time. */
export interface FaultSwitch {
  set(fault: Fault | null): void
  /** The fault for the next request; counts down `times`. */
  take(): Fault | null
}

/** Creates the switch, off. */
export function createFaultSwitch(): FaultSwitch {
  let fault: Fault | null = null
  let left = 0
  return {
    set(next) {
      fault = next
      left = next?.times ?? Number.POSITIVE_INFINITY
    },
    take() {
      if (!fault || left <= 0) return null
      left--
      return fault
    },
  }
}

const KINDS = new Set([
  'hang',
  'reset',
  'error_before',
  'error_after',
  'rate_limit',
  'slow',
  'reject',
  'garbage',
])

/** Reads a fault from parsed JSON; null when it is none. */
export function parseFault(value: unknown): Fault | null {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null
  if (!KINDS.has(String(value.kind))) return null
  const fault = value as Record<string, unknown>
  const needed =
    { rate_limit: ['retryAfter'], slow: ['ms'], reject: ['status', 'code'] }[String(fault.kind)] ?? []
  return needed.every((name) => fault[name] !== undefined) ? (value as Fault) : null
}
