/** The place of a database in its log, in bytes (SQL: replication_state). */
export interface ReplicationState {
  standby: boolean
  position: number
  /** How long ago (ms) the last transaction that a standby replayed was committed; null before the first. */
  replayed_ms: number | null
}

/**
 * What is known of the replica: not asked yet, used, too far behind, no answer (of it or the primary), or no standby.
 * `lagMs`: how far its data is behind the primary's, at most; null when that is unknown.
 */
export interface ReplicaHealth {
  state: 'unknown' | 'used' | 'late' | 'gone' | 'no_standby'
  lagMs: number | null
}

/** A replica that is further behind is not read. */
export const MAX_LAG_MS = 5_000
/** How long a measurement holds. */
const HOLDS_MS = 2_000
/** How long a replica that is late or gone is left alone. */
export const REST_MS = 10_000

/** Watches one replica, for all requests of this process. */
export interface ReplicaWatch {
  health: () => ReplicaHealth
  /** Whether a read may go to the replica now. Waits for a measurement only while the replica is in use. */
  usable: () => Promise<boolean>
  /** Measures now; calls at the same time share a measurement. */
  check: () => Promise<boolean>
  /** A read got no answer: the replica is left alone. */
  failed: () => void
}

interface Watched {
  /** Each ends by itself within a second or so. */
  primary: () => Promise<ReplicationState>
  replica: () => Promise<ReplicationState>
  /** In milliseconds. */
  now?: () => number
  /** Called at every change of state. */
  changed?: (health: ReplicaHealth) => void
}

/**
 * Decides by measurements whether a replica is read. It is used after a measurement found it at most MAX_LAG_MS behind, and
 * until a measurement or a read fails. Then reads go to the primary. After REST_MS a measurement runs beside the next read,
 * and the replica is used again when it is back. No read waits for a failed replica.
 */
export function watchReplica({
  primary,
  replica,
  now = () => performance.now(),
  changed = () => {},
}: Watched): ReplicaWatch {
  let health: ReplicaHealth = { state: 'unknown', lagMs: null }
  let checkedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let running: Promise<boolean> | undefined

  function become(next: ReplicaHealth) {
    const isNew = next.state !== health.state
    health = next
    checkedAt = now()
    if (isNew) changed(health)
  }

  async function measure(): Promise<boolean> {
    const before = failures
    try {
      // In this order: what the primary had is what the replica should have by now.
      const wanted = await primary()
      const found = judge(wanted, await replica())
      // A read that failed meanwhile knows better.
      if (failures === before) become(found)
    } catch {
      become({ state: 'gone', lagMs: null })
    }
    return health.state === 'used'
  }

  function check(): Promise<boolean> {
    running ??= measure().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    health: () => health,
    check,
    usable: async () => {
      const age = now() - checkedAt
      if (health.state === 'used') return age <= HOLDS_MS || check()
      if (age > REST_MS) void check()
      return false
    },
    failed: () => {
      failures += 1
      become({ state: 'gone', lagMs: null })
    },
  }
}

/** On an idle primary the last replayed transaction may be hours old, and nothing is missing: positions count first. */
function judge(primary: ReplicationState, replica: ReplicationState): ReplicaHealth {
  if (primary.standby || !replica.standby) return { state: 'no_standby', lagMs: null }
  const lagMs = replica.position >= primary.position ? 0 : replica.replayed_ms
  return { state: lagMs !== null && lagMs <= MAX_LAG_MS ? 'used' : 'late', lagMs }
}
