import { beforeEach, describe, expect, it } from 'vitest'
import {
  MAX_LAG_MS,
  REST_MS,
  type ReplicaHealth,
  type ReplicationState,
  type ReplicaWatch,
  watchReplica,
} from '@/lib/db/replica-watch'

let clock: number
let primary: ReplicationState
let replica: ReplicationState | Error | Promise<ReplicationState>
let measured: number
let states: ReplicaHealth['state'][]
let watch: ReplicaWatch

const standby = (position: number, replayed_ms: number | null = 0): ReplicationState => ({
  standby: true,
  position,
  replayed_ms,
})
/** Gives a measurement in the background time to end. */
const settle = () => new Promise((resume) => setImmediate(resume))

beforeEach(() => {
  clock = 0
  measured = 0
  states = []
  primary = { standby: false, position: 1000, replayed_ms: null }
  replica = standby(1000)
  watch = watchReplica({
    primary: async () => primary,
    replica: async () => {
      measured += 1
      if (replica instanceof Error) throw replica
      return replica
    },
    now: () => clock,
    changed: ({ state }) => states.push(state),
  })
})

/** A watch whose replica is in use. */
async function inUse() {
  expect(await watch.check()).toBe(true)
  measured = 0
}

describe('a replica', () => {
  it('is first read after a measurement, for which no read waits', async () => {
    expect(await watch.usable()).toBe(false)
    await settle()
    expect(await watch.usable()).toBe(true)
    expect(measured).toBe(1)
  })

  it.each([
    ['has all that the primary had', standby(1000, 0), { state: 'used', lagMs: 0 }],
    ['is ahead of the measurement', standby(1200, 0), { state: 'used', lagMs: 0 }],
    ['has all, and the primary was idle for a day', standby(1000, 86_400_000), { state: 'used', lagMs: 0 }],
    ['has all, and has replayed nothing since its start', standby(1000, null), { state: 'used', lagMs: 0 }],
    ['is behind by the bound', standby(999, MAX_LAG_MS), { state: 'used', lagMs: MAX_LAG_MS }],
    ['is behind by more', standby(999, MAX_LAG_MS + 1), { state: 'late', lagMs: MAX_LAG_MS + 1 }],
    ['is behind by nobody knows what', standby(999, null), { state: 'late', lagMs: null }],
    ['is no standby', { ...standby(1000), standby: false }, { state: 'no_standby', lagMs: null }],
    ['gives no answer', new Error('refused'), { state: 'gone', lagMs: null }],
  ] as const)('that %s', async (_, found, health) => {
    replica = found
    expect(await watch.check()).toBe(health.state === 'used')
    expect(watch.health()).toEqual(health)
  })

  it('is measured again after two seconds, once for all reads', async () => {
    await inUse()
    clock = 2000
    expect(await watch.usable()).toBe(true)
    expect(measured).toBe(0)
    clock = 2001
    expect(await Promise.all([watch.usable(), watch.usable(), watch.usable()])).toEqual([true, true, true])
    expect(measured).toBe(1)
  })

  it('that was left behind is not read from the next measurement on', async () => {
    await inUse()
    primary = { ...primary, position: 2000 }
    replica = standby(1000, 6000)
    clock = 2001
    expect(await watch.usable()).toBe(false)
    expect(watch.health()).toEqual({ state: 'late', lagMs: 6000 })
  })

  it('that failed is left alone, and no read waits for it afterwards', async () => {
    await inUse()
    watch.failed()
    clock = REST_MS
    expect(await watch.usable()).toBe(false)
    expect(measured).toBe(0)
    // Still gone, and silent: the read does not wait for the measurement.
    let answer: (state: ReplicationState) => void = () => {}
    replica = new Promise((resolve) => {
      answer = resolve
    })
    clock = REST_MS + 1
    expect(await watch.usable()).toBe(false)
    expect(measured).toBe(1)
    answer(standby(1000))
    await settle()
    expect(await watch.usable()).toBe(true)
    expect(states).toEqual(['used', 'gone', 'used'])
  })

  it('stays left alone when a measurement from before the failure ends well', async () => {
    await inUse()
    let answer: (state: ReplicationState) => void = () => {}
    replica = new Promise((resolve) => {
      answer = resolve
    })
    const measuring = watch.check()
    await settle()
    watch.failed()
    answer(standby(1000))
    expect(await measuring).toBe(false)
    expect(watch.health().state).toBe('gone')
  })
})

it('a primary that is a standby itself is no primary', async () => {
  await inUse()
  primary = { ...primary, standby: true }
  expect(await watch.check()).toBe(false)
  expect(watch.health().state).toBe('no_standby')
})
