import { setTimeout as pause } from 'node:timers/promises'
import { syncWindow } from '@/lib/pms/sync'
import { connectPms, PMS_KEY } from '../../factories/group'
import { connect, RESEND } from '../../factories/integrations'
import { startFakeResend } from '../../fakes/resend/server'
import { type Figure, median } from '../support/figures'
import { startWorker } from '../support/worker'
import type { PmsQuestion } from '../sync/pms-worker'
import { uploadGuests } from './imports'
import { type Ground, type Place, withApp } from './place'
import { percentile } from './row'

const MINUTES = Number(process.env.SCALE_LASTING_MINUTES ?? 10)
const IN_FLIGHT = 16
const CAPACITY_SECONDS = 30
const QUIET_SECONDS = 60
const SHARE_OF_CAPACITY = 0.8
const PMS_ROWS = 5000
const IMPORTED = 1000
const NAMES = ['garcía', 'lópez', 'maría', 'javier', 'sánchez', 'carmen', 'pérez', 'ruiz', 'ana', 'antonio']

/**
 * Mixed traffic at 80 % of capacity for SCALE_LASTING_MINUTES (10), with syncs, imports and a run for three guests in
 * five under way: errors, memory, and times beside those of the same traffic without all that. The run's e-mails go to a
 * Resend of our own at the pace that a deployment has (EMAILS_PER_SECOND).
 */
export async function lasting(ground: Ground): Promise<Figure[]> {
  const resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  // What it was given would fill the memory of this process.
  const forget = setInterval(() => resend.accepted.splice(0), 1000)
  try {
    await connect(ground.stack, ground.lab.organization, 'resend', RESEND)
    return await withApp(ground, measure, { RESEND_BASE_URL: resend.url })
  } finally {
    clearInterval(forget)
    await resend.close()
  }
}

async function measure(place: Place): Promise<Figure[]> {
  const paths = await mix(place)
  const { done, stop } = await background(place)
  let capacity: number
  let busy: Steady
  try {
    capacity = await flood(place, paths)
    busy = await steady(place, paths, capacity * SHARE_OF_CAPACITY, MINUTES * 60)
  } finally {
    await stop()
  }
  await place.bare.query('update public.organizations set sending_stopped_at = now()')
  const quiet = await steady(place, paths, capacity * SHARE_OF_CAPACITY, QUIET_SECONDS)
  const [high, calm] = [percentile(busy.times, 0.95), percentile(quiet.times, 0.95)]
  const third = Math.ceil(busy.memory.length / 3)
  const [early, late] = [median(busy.memory.slice(0, third)), median(busy.memory.slice(-third))]
  return [
    {
      name: `requests that failed in ${MINUTES} minutes`,
      measured: busy.failures.length + done.failures.length,
      unit: 'faults',
      bound: 0,
      detail: [
        `${busy.times.length} answered, ${(capacity * SHARE_OF_CAPACITY).toFixed(0)}/s of ${capacity.toFixed(0)}/s`,
        `${done.syncs} syncs, ${done.imports} imports, ${await sentBy(place)} messages meanwhile`,
        ...[...busy.failures, ...done.failures].slice(0, 3),
      ].join('; '),
    },
    {
      name: 'p95 meanwhile / without syncs, imports and the run',
      measured: high / calm,
      unit: '×',
      bound: 2,
      detail: `${high.toFixed(0)} and ${calm.toFixed(0)} ms, medians ${median(busy.times).toFixed(0)} and ${median(quiet.times).toFixed(0)} ms`,
    },
    {
      name: 'the app’s memory, last third / first third',
      measured: late / early,
      unit: '×',
      bound: 1.2,
      detail: `${early.toFixed(0)} and ${late.toFixed(0)} MB`,
    },
  ]
}

/** What people look at, as often as they do, by the number of the request. */
async function mix({ bare }: Place): Promise<(turn: number) => string> {
  const { rows } = await bare.query<{ id: string }>(
    'select id from public.customers tablesample system (0.1) limit 200',
  )
  const today = new Date().toISOString().slice(0, 10)
  const word = (turn: number) => encodeURIComponent(NAMES[turn % NAMES.length] ?? '')
  const guest = (turn: number) => rows[turn % rows.length]?.id ?? ''
  const kinds: ((turn: number) => string)[] = [
    () => '/',
    () => `/reservations?date=${today}`,
    () => '/api/customers?limit=50',
    (turn) => `/customers/${guest(turn)}`,
    (turn) => `/api/customers?limit=50&search=${word(turn)}`,
    () => '/customers',
    () => '/api/stats/overview',
    (turn) => `/api/customers/${guest(turn)}`,
    () => '/api/admin/debug-reservations',
    (turn) => `/customers?search=${word(turn)}`,
  ]
  return (turn) => kinds[turn % kinds.length]?.(Math.floor(turn / kinds.length)) ?? '/'
}

/** Why an answer is a failure; undefined when it is none. */
async function fault({ ask }: Place, path: string): Promise<string | undefined> {
  try {
    const { status } = await ask(path)
    return status === 200 ? undefined : `${path} answered ${status}`
  } catch (error) {
    return `${path}: ${error}`
  }
}

/** Requests a second with 16 in flight. */
async function flood(place: Place, path: (turn: number) => string): Promise<number> {
  let turn = 0
  let answered = 0
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() - begin < CAPACITY_SECONDS * 1000)
        if (!(await fault(place, path(turn++)))) answered++
    }),
  )
  return (answered / (performance.now() - begin)) * 1000
}

interface Steady {
  /** Milliseconds from when a request was due to its answer. */
  times: number[]
  failures: string[]
  /** The app's resident MB, once a second. */
  memory: number[]
}

/** So many requests a second, each at its time whether or not earlier ones are answered. */
async function steady(
  place: Place,
  path: (turn: number) => string,
  rate: number,
  seconds: number,
): Promise<Steady> {
  const found: Steady = { times: [], failures: [], memory: [] }
  const watch = setInterval(() => found.memory.push(place.app.residentMb()), 1000)
  const open = new Set<Promise<void>>()
  const begin = performance.now()
  try {
    for (let turn = 0; turn < rate * seconds; turn++) {
      const due = begin + (turn / rate) * 1000
      if (due > performance.now()) await pause(due - performance.now())
      const asked = fault(place, path(turn)).then((failure) => {
        if (failure) found.failures.push(failure)
        else found.times.push(performance.now() - due)
        open.delete(asked)
      })
      open.add(asked)
    }
    await Promise.all(open)
  } finally {
    clearInterval(watch)
  }
  return found
}

/** Syncs, imports and a run, one after the other, until it is stopped. */
async function background(place: Place) {
  const { app, bare, lab, stack, ask } = place
  const slugs = lab.locations.map((_, n) => `casa-${n + 1}`)
  const pms = startWorker<PmsQuestion, string>(new URL('../sync/pms-worker.ts', import.meta.url))
  const window = syncWindow(new Date(), 'Europe/Madrid', 7, 1)
  const rows = Math.floor(PMS_ROWS / slugs.length)
  await connectPms(
    stack,
    lab.organization,
    await pms.ask({ slugs, rows, latencyMs: 50, window, apiKey: PMS_KEY }),
  )
  const began = new Date()
  const done = { syncs: 0, imports: 0, failures: [] as string[] }
  let isOver = false
  const job = async (name: string) => {
    const response = await fetch(new URL(`/api/cron/${name}`, app.url), {
      headers: { authorization: `Bearer ${stack.keys.cronSecret}` },
    })
    if (!response.ok) done.failures.push(`${name} answered ${response.status}`)
    await response.text()
  }
  const repeat = async (work: (turn: number) => Promise<void>, everyMs: number) => {
    for (let turn = 0; !isOver; turn++) {
      await work(turn).catch((error) => done.failures.push(String(error)))
      for (let waited = 0; waited < everyMs && !isOver; waited += 500) await pause(500)
    }
  }
  const started = await ask(`/api/automations/${lab.automation}/run`, {
    method: 'POST',
    body: '{}',
    headers: { prefer: 'respond-async' },
  })
  if (started.status !== 200) done.failures.push(`the run answered ${started.status}`)
  const running = Promise.all([
    repeat(async () => {
      // A fifth of what was synced comes anew.
      await bare.query(
        `delete from public.reservations where source = 'pms' and created_at > $1
           and abs(hashtext(id::text || $2)) % 5 = 0`,
        [began, String(done.syncs)],
      )
      await job('sync')
      done.syncs++
    }, 30_000),
    repeat(async () => {
      const emails = Array.from({ length: IMPORTED }, (_, n) => `dura${done.imports}.${n}@banco.example`)
      await uploadGuests(place, emails, 20 + done.imports)
      done.imports++
    }, 60_000),
    repeat(() => job('automations'), 60_000),
  ])
  const stop = async () => {
    isOver = true
    await running
    await pms.stop()
  }
  return { done, stop }
}

async function sentBy({ bare, lab }: Place): Promise<number> {
  const { rows } = await bare.query<{ n: number }>(
    `select count(*)::integer as n from public.messages where automation_id = $1 and status in ('sent', 'delivered')`,
    [lab.automation],
  )
  return rows[0]?.n ?? 0
}
