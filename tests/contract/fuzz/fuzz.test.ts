import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '@/lib/api-document/document'
import { NO_REMOVAL } from '@/lib/auth/operations'
import { ERRORS } from '@/lib/http/error-codes'
import { startWorld, type World } from '../world'
import type { Schema } from './arbitrary'
import { type Caller, type Callers, startCallers } from './callers'
import { callOf, Failures } from './failures'
import { idsOf } from './known-ids'
import { type Description, type Generated, requests } from './requests'
import { stopwatch } from './stopwatch'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 300)
const SEED = Number(process.env.FUZZ_SEED ?? 20261120)
const AT_ONCE = 8
const BATCH = 200
const SLOWEST_MS = 5000
const GIVE_UP_MS = 90_000
// Each caller asks for other work, and its first requests fill caches: a leak goes on growing after them.
const WARM_UP_SHARE = 0.2
const MOST_GROWTH = 0.15
// A small function's heap. With the gigabytes of a large machine V8 lets garbage lie, which would look like growth.
const SMALL_HEAP = '--max-old-space-size=512 --max-semi-space-size=16'
const LEAK_SHOWS_AT = 5000
const LONGEST_TIMER_MS = 2 ** 31 - 1

const ALL_CALLERS: Caller[] = [
  'visitor',
  'super_admin',
  'admin',
  'ceo',
  'marketing',
  'operaciones',
  'rrhh',
  'pr_comunicacion',
  'sala',
  'bound',
  'program',
  'cron',
]
// Some of them, so that a machine with several cores may share them out: FUZZ_CALLERS=admin,ceo
const only = process.env.FUZZ_CALLERS?.split(',')
const CALLERS = ALL_CALLERS.filter((caller) => !only || only.includes(caller))

interface Tally extends Record<Generated['kind'] | 'accepted', number> {
  /** In milliseconds. */
  slowest: { ms: number; call: string }
}

let world: World
let callers: Callers
beforeAll(async () => {
  world = await startWorld({ PMS_TIMEOUT_MS: '300', AI_TIMEOUT_MS: '300', NODE_OPTIONS: SMALL_HEAP })
  callers = startCallers(world)
}, 300_000)
afterAll(() => world?.close())

/** Of each caller, in order: the memory of the app after each batch, in MB. */
const memory: number[][] = []

describe(`${REQUESTS} requests generated from the OpenAPI document (seed ${SEED})`, () => {
  it.each(CALLERS)(
    'as %s: no failure that is not documented, none slower than five seconds',
    async (as) => {
      // The first sync imports the days ahead, and later jobs send what callers left to send: not what is timed here.
      await world.client('cron').request('GET', '/api/cron/master')
      const resident: number[] = []
      memory.push(resident)
      const tally: Tally = { valid: 0, mutated: 0, hostile: 0, accepted: 0, slowest: { ms: 0, call: '' } }
      const failures = new Failures()
      for (let sent = 0; sent < REQUESTS; sent += BATCH) {
        await callers.renew(as)
        await callers.tidy()
        const queue = await generate(as, Math.min(BATCH, REQUESTS - sent), sent)
        const pids = await processes()
        await Promise.all(Array.from({ length: AT_ONCE }, () => work(as, queue, pids, tally, failures)))
        resident.push(world.app.residentMb())
      }
      const grown = `${median(resident)} MB, grew by ${growthOf(resident)} MB`
      console.log(as, JSON.stringify(tally), grown, failures.text())
      expect(failures.text()).toBe('')
      expect(tally.valid + tally.mutated + tally.hostile).toBe(REQUESTS)
      // Requests that are all refused would prove nothing.
      expect(tally.accepted).toBeGreaterThan(0)
    },
    Math.min(REQUESTS * GIVE_UP_MS, LONGEST_TIMER_MS),
  )

  it.skipIf(REQUESTS < LEAK_SHOWS_AT)('leave the memory of the app flat', () => {
    const first = median(memory[0] ?? [])
    const growth = memory.reduce((sum, resident) => sum + growthOf(resident), 0)
    expect(memory.map((resident) => resident.length)).toEqual(CALLERS.map(() => Math.ceil(REQUESTS / BATCH)))
    expect(growth).toBeLessThan(first * MOST_GROWTH)
  })
})

/** By how many MB the memory grew while one caller asked, without the first of its batches. */
function growthOf(resident: readonly number[]): number {
  const share = Math.ceil(resident.length * WARM_UP_SHARE)
  return median(resident.slice(-share)) - median(resident.slice(share, 2 * share))
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Those that work on a request: the app, this one, which runs the embedded database, or Postgres' own. */
async function processes(): Promise<number[]> {
  const { stack, app } = world
  const find = 'select pid from pg_stat_activity where datname = current_database()'
  const backends = stack.kind === 'postgres' ? await stack.sql<{ pid: number }>(find) : []
  return [app.pid, process.pid, ...backends.map(({ pid }) => pid)]
}

/** Generated anew for each batch, for ids come and go. */
async function generate(as: Caller, count: number, offset: number): Promise<Generated[]> {
  const document = openApiDocument(world.app.url)
  const components = document.components.schemas as Record<string, Schema>
  const ids = await idsOf(world)
  const known = { components, ids: (name: string) => ids[name] ?? [] }
  return fc.sample(requests(document as unknown as Description, known), {
    numRuns: count,
    seed: SEED + offset + ALL_CALLERS.indexOf(as) * 1_000_000,
  })
}

async function work(
  as: Caller,
  queue: Generated[],
  pids: number[],
  tally: Tally,
  failures: Failures,
): Promise<void> {
  for (let request = queue.pop(); request; request = queue.pop()) {
    const { kind, method, path, body, headers } = request
    const signal = AbortSignal.timeout(GIVE_UP_MS)
    const client = callers.client(as)
    tally[kind]++
    const time = stopwatch(pids)
    try {
      // The client refuses statuses and bodies that the document does not have.
      const response = await client.request(method, path, { body, headers, signal })
      const text = await response.text()
      const ms = Math.round(time())
      if (ms > tally.slowest.ms) tally.slowest = { ms, call: callOf(request) }
      if (ms > SLOWEST_MS) throw new Error(`took ${Math.round(ms / 1000)} s`)
      if (response.status >= 500 && !isExpected(text))
        throw new Error(`${response.status} ${text.slice(0, 500)}`)
      if (response.ok) tally.accepted++
      if (isLost(as, request, response, text)) await callers.renew(as, client)
    } catch (cause) {
      failures.add(request, cause)
    }
  }
}

/** Documented failures of what is outside, or of a run: everything but the unexpected. */
function isExpected(text: string): boolean {
  const body = JSON.parse(text) as { error?: unknown; code?: string }
  return body.code !== 'INTERNAL_ERROR' && EXPECTED.some((start) => String(body.error).startsWith(start))
}
/** How their texts begin. */
const EXPECTED = [
  'PMS integration is not configured',
  'Automation not found',
  'true',
  // The PMS is given a third of a second.
  'No location could be synchronised: ',
  ERRORS.SECOND_FACTOR_UNSUPPORTED[1],
  NO_REMOVAL,
]

/** Whether an answer says that an earlier request used up the limits, or took the caller's session. */
function isLost(as: Caller, { headers }: Generated, { status }: Response, text: string): boolean {
  if (status === 429) return true
  const hasNone = as === 'visitor' || as === 'cron' || headers?.authorization !== undefined
  return status === 401 && !hasNone && text.includes('"Unauthorized"')
}
