import 'server-only'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { type Fault, stateSchema } from '@/lib/health/fault'
import { SCHEMA_VERSION } from '@/lib/health/schema-version'
import { type Line, right, unknown, wrong } from './lines'

const TIMEOUT_MS = 3000
const CALLS = 5
/** A call within one region takes 5 to 20 ms, one over the Atlantic 90. */
const FAR_MS = 40
/** Codes of the second factor and signatures of webhooks hold for half a minute or more; tokens for none in advance. */
const MAX_CLOCK_SECONDS = 5

/** Vercel's regions in Europe. */
const EUROPE = ['arn1', 'cdg1', 'dub1', 'fra1', 'lhr1']

/** How the check tells time: tests have a clock of their own. */
export interface Clocks {
  /** Milliseconds since any moment, for durations. */
  elapsed: () => number
  now: () => Date
}

interface Heard {
  version: string
  /** The shortest of some calls: the others waited for something else than the way. */
  latencyMs: number
  /** How far the app's clock is ahead of the database's, in seconds. */
  aheadSeconds: number
}

/** Asks the database for its version and time, some times one after the other; null when it gives no good answer. */
export async function hearDatabase({ elapsed, now }: Clocks): Promise<Heard | null> {
  let best: Heard | null = null
  for (let call = 0; call < CALLS; call++) {
    const started = elapsed()
    const { data, error } = await serviceDb()
      .rpc('installation_state')
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
    const latencyMs = elapsed() - started
    const state = error ? null : stateSchema.safeParse(data).data
    if (!state) return null
    // The database told its time about half-way.
    const aheadSeconds = (now().getTime() - latencyMs / 2 - state.now.getTime()) / 1000
    if (!best || latencyMs < best.latencyMs) best = { version: state.version, latencyMs, aheadSeconds }
  }
  return best
}

/** The schema, the way to the database and the two clocks. `zones`: the time zones of the groups and their locations. */
export function databaseLines(heard: Heard | null, fault: Fault | null, zones: readonly string[]): Line[] {
  if (!heard) {
    const silent = { detail: 'Supabase' }
    return [schemaFault(fault), unknown('region', 'no_answer', silent), unknown('clock', 'no_answer', silent)]
  }
  const seconds = Math.round(Math.abs(heard.aheadSeconds))
  return [
    schemaLine(heard.version),
    regionLine(Math.max(1, Math.round(heard.latencyMs)), zones),
    seconds > MAX_CLOCK_SECONDS
      ? wrong('clock', 'clock_off', { count: seconds })
      : right('clock', 'clock_right'),
  ]
}

function schemaLine(detail: string): Line {
  if (detail === SCHEMA_VERSION) return right('schema', 'schema_current', { detail })
  return wrong('schema', detail > SCHEMA_VERSION ? 'schema_newer' : 'schema_old', { detail })
}

function schemaFault(fault: Fault | null): Line {
  if (fault?.kind === 'schema_missing' || fault?.kind === 'schema_old') return wrong('schema', fault.kind)
  return unknown('schema', 'no_answer', { detail: 'Supabase' })
}

/** Places of the EU and its neighbours, islands and all. */
const IN_EUROPE = /^Europe\/|^Atlantic\/(Canary|Madeira|Azores)$|^Africa\/Ceuta$/

/** Where the app runs (on Vercel), and how far the database is: it names no region of its own. */
function regionLine(count: number, zones: readonly string[]): Line {
  const region = env().VERCEL_REGION
  const values = { count, detail: region || '?' }
  if (region !== '' && zones.some((zone) => IN_EUROPE.test(zone)) && !EUROPE.includes(region))
    return wrong('region', 'outside_europe', values)
  if (count > FAR_MS) return wrong('region', 'far', values)
  return region === '' ? right('region', 'latency_low', { count }) : right('region', 'near', values)
}
