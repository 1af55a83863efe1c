import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { z } from 'zod'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import { silenceOf } from './auth-fetch'
import type { Database } from './database.types'
import { unwrap } from './errors'
import { PERSON_WAITS_MS, patientFetch } from './patient-fetch'
import { type ReplicaHealth, type ReplicaWatch, watchReplica } from './replica-watch'
import { serviceDb } from './service'
import type { Db } from './types'

/** How long a measurement may take on each side. */
const MEASURE_MS = 1_000
/** How often the replica is measured while a read waits for it: a hanging replica costs no more than this and a measurement. */
const GUARD_MS = 500

const stateSchema = z.object({
  standby: z.boolean(),
  position: z.number(),
  replayed_ms: z.number().nullable(),
})

let watched: ReplicaWatch | undefined

/** Whether the deployment has a read replica. */
export const hasReplica = (): boolean => env().SUPABASE_READ_URL !== ''

/**
 * What this process knows of the replica, measured now; null without one.
 */
export async function replicaHealth(): Promise<ReplicaHealth | null> {
  if (!hasReplica()) return null
  await watch().check()
  return watch().health()
}

/**
 * A client with the same person's rights for reads that may be some seconds old: they go to the read replica while it is
 * in use, else to the primary. Null without a replica.
 */
export function replicaDb(db: Db): Db | null {
  if (!hasReplica()) return null
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY } = env()
  return createClient<Database>(SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, {
    // A long export outlives its first token.
    accessToken: async () => {
      const { data, error } = await db.auth.getSession()
      const silence = error && silenceOf(error)
      if (silence) throw silence
      return data.session?.access_token ?? null
    },
    global: { fetch: replicaFirst },
  })
}

function watch(): ReplicaWatch {
  watched ??= watchReplica({
    primary: () => stateOf(serviceDb()),
    replica: () => stateOf(replicaService()),
    changed: (health) => {
      if (health.state === 'used') log().info(health, 'reading from the read replica')
      else log().warn(health, 'not reading from the read replica')
    },
  })
  return watched
}

async function stateOf(db: Db) {
  const found = await db.rpc('replication_state').abortSignal(AbortSignal.timeout(MEASURE_MS))
  return stateSchema.parse(unwrap(found))
}

function replicaService(): Db {
  const { SUPABASE_READ_URL, SUPABASE_SECRET_KEY } = env()
  return createClient<Database>(SUPABASE_READ_URL, SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

const ask = patientFetch(PERSON_WAITS_MS)

/** Asks the replica, and the primary when the replica gives no good answer. Only for reads. */
async function replicaFirst(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = (await watch().usable()) ? await askReplica(new URL(String(input)), init) : null
  return answer ?? ask(input, init)
}

/**
 * The replica's answer; null when it has none, or only an error: the primary may know better (the replica does not know a
 * new function yet, or its replay cancelled the query).
 */
async function askReplica({ pathname, search }: URL, init: RequestInit = {}): Promise<Response | null> {
  const hangs = new AbortController()
  const guard = setInterval(
    () =>
      void watch()
        .check()
        .then((isUsable) => isUsable || hangs.abort()),
    GUARD_MS,
  )
  try {
    const signal = init.signal ? AbortSignal.any([init.signal, hangs.signal]) : hangs.signal
    const response = await ask(new URL(pathname + search, env().SUPABASE_READ_URL), { ...init, signal })
    // Read here: it may break off, too.
    const body = await response.arrayBuffer()
    const { ok, status, statusText, headers } = response
    if (ok) return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers })
    if (status >= 502) watch().failed()
    log().warn({ path: pathname, status }, 'the read replica refused a read')
  } catch (error) {
    if (init.signal?.aborted) throw error
    watch().failed()
  } finally {
    clearInterval(guard)
  }
  return null
}
