import { startBuiltApp } from '../../contract/built-app'
import type { Figure } from '../support/figures'
import { PATIENCE_MS, type Place } from './place'
import { percentile } from './row'
import type { SendAnswer } from './send-worker'
import { perSecond, queued, send } from './senders'

const COUNTS = [1, 2, 4]
const SENDING_SECONDS = 15
const READING_SECONDS = 10
const IN_FLIGHT = 16
// What the processes of all counts send in their time, and to spare.
const ENOUGH_QUEUED = 300_000

/**
 * The same work by 1, 2 and 4 processes: sending, with the share of each process and whether a provider was given a
 * message twice; and the guests' list, asked of each process in turn. After `run`, which fills the queue.
 */
export async function processes(place: Place): Promise<Figure[]> {
  // It would go on sending what it has planned.
  await place.app.stop()
  return [...(await sending(place)), ...(await reading(place))]
}

async function sending(place: Place): Promise<Figure[]> {
  const waiting = await queued(place)
  if (waiting < ENOUGH_QUEUED)
    throw new Error(`Only ${waiting} messages are queued: name run, too (SCALE=run,processes).`)
  await place.bare.query("update public.automation_runs set status = 'running' where status = 'paused'")
  const figures: Figure[] = []
  const given: string[] = []
  let one = 0
  for (const count of COUNTS) {
    const { answers, given: ids } = await send(place, count, SENDING_SECONDS)
    given.push(...ids)
    const measured = perSecond(answers)
    one ||= measured
    figures.push({
      name: `messages sent by ${named(count)}`,
      measured,
      unit: '/s',
      detail: `${(measured / one).toFixed(2)} × one; ${shares(answers)}`,
    })
  }
  const { rows } = await place.bare.query<{ n: number }>(
    `select count(*)::integer as n from public.messages where id = any($1) and status in ('sent', 'delivered')`,
    [given],
  )
  const twice = given.length - new Set(given).size
  const lost = given.length - (rows[0]?.n ?? 0)
  figures.push({
    name: 'messages given to a provider twice, or not recorded as sent',
    measured: twice + lost,
    unit: 'faults',
    bound: 0,
    detail: `${given.length} given, ${twice} twice, ${lost} not recorded`,
  })
  return figures
}

/** The least and the most that a process did, in per cent of an equal share. */
function shares(answers: SendAnswer[]): string {
  const counts = answers.map(({ sent }) => sent.length)
  const equal = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const percent = (count: number) => `${Math.round((count / equal) * 100)} %`
  return `a process did ${percent(Math.min(...counts))} to ${percent(Math.max(...counts))} of an equal share`
}

async function reading(place: Place): Promise<Figure[]> {
  const figures: Figure[] = []
  const apps = []
  try {
    let one = 0
    for (const count of COUNTS) {
      while (apps.length < count) apps.push(await startBuiltApp(place.stack, {}, PATIENCE_MS))
      const urls = apps.map(({ url }) => url)
      // Each process compiles and fills its caches first.
      await flood(place, urls, 2)
      const { times, failed, seconds } = await flood(place, urls, READING_SECONDS)
      const measured = failed > 0 ? 0 : times.length / seconds
      one ||= measured
      figures.push({
        name: `guests’ list, API answers, ${IN_FLIGHT} in flight, ${named(count)}`,
        measured,
        unit: '/s',
        detail: `${(measured / one).toFixed(2)} × one; p95 ${percentile(times, 0.95).toFixed(0)} ms, ${failed} failed`,
      })
    }
  } finally {
    for (const app of apps) await app.stop()
  }
  return figures
}

async function flood({ cookie }: Place, urls: string[], seconds: number) {
  const times: number[] = []
  let turn = 0
  let failed = 0
  const begin = performance.now()
  const lane = async () => {
    while (performance.now() - begin < seconds * 1000) {
      const asked = performance.now()
      const url = new URL('/api/customers?limit=50', urls[turn++ % urls.length])
      const response = await fetch(url, { headers: { cookie } })
      await response.arrayBuffer()
      if (response.ok) times.push(performance.now() - asked)
      else failed++
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return { times, failed, seconds: (performance.now() - begin) / 1000 }
}

const named = (count: number) => (count === 1 ? 'one process' : `${count} processes`)
