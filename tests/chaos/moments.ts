import type { Random } from '../fakes/pms/random'
import { type Drainer, kill } from './drainers'
import type { Exchange, Observer } from './tap'

/**
 * When a drainer meets its end: with its nth request of a sort. `lost` with the process, `arriving` although the
 * process is gone, or `answered` without anyone to hear it; or so many milliseconds later. `cut` breaks only the
 * connection; `stopped` is stopped until others have taken over, and then goes on as if nothing had been.
 */
export interface Moment {
  call: string
  nth: number
  how: 'lost' | 'arriving' | 'answered' | 'later' | 'cut' | 'stopped'
  ms: number
}

/** What plans the messages. */
type Planning = 'enqueue_run' | 'plan_campaign'

const CALLS = [
  ['planning', 2],
  ['claim_messages', 4],
  ['freeze_messages', 4],
  ['finish_messages', 5],
  ['twilio', 8],
  ['resend', 6],
] as const

/**
 * Draws a moment that surely comes: in a run that begins, every drainer claims, and each claim is followed by freeze
 * and finish.
 */
export function drawCertainMoment(random: Random, planning: Planning): Moment {
  const [call, most] = random.pick([
    [planning, 3],
    ['claim_messages', 3],
    ['freeze_messages', 1],
    ['finish_messages', 1],
  ] as const)
  return {
    call,
    nth: random.int(1, most),
    how: random.pick(['lost', 'arriving', 'answered', 'later']),
    ms: random.int(0, 40),
  }
}

/** Draws any moment between the plan of a run and its end. */
export function drawMoment(random: Random, planning: Planning): Moment {
  const drawn = random.weighted(CALLS)
  const call = drawn === 'planning' ? planning : drawn
  const most =
    { twilio: 6, resend: 4, claim_messages: 3, enqueue_run: 3, plan_campaign: 4 }[call as string] ?? 2
  const hows = [
    ['lost', 1],
    ['arriving', 2],
    ['answered', 3],
    ['later', 4],
    ['cut', 2],
    ['stopped', 3],
  ] as const
  return { call, nth: random.int(1, most), how: random.weighted(hows), ms: random.int(0, 100) }
}

/** Lets drainers meet their moments. */
export interface Fate extends Observer {
  /** Set before the drainer starts. */
  set: (drainer: Drainer, moment: Moment) => void
  /** Resolves when the drainer is stopped, if it ever is. */
  stopped: (drainer: Drainer) => Promise<'stopped'>
  /** Drops moments that have not come, and returns the numbers of drainers killed or cut off. */
  settle: () => { killed: number; cut: Set<Drainer> }
}

/** Creates a fate that has nothing in store yet. */
export function createFate(): Fate {
  const plans = new Map<string, { drainer: Drainer; moment: Moment; seen: number }>()
  const dying = new Map<Exchange, Drainer>()
  const timers = new Set<NodeJS.Timeout>()
  const stops = new Map<Drainer, () => void>()
  let killed = 0
  let cut = new Set<Drainer>()
  const end = (drainer: Drainer) => {
    killed++
    kill(drainer)
  }
  return {
    set: (drainer, moment) => plans.set(drainer.name, { drainer, moment, seen: 0 }),
    stopped: (drainer) =>
      new Promise((resolve) => {
        stops.set(drainer, () => resolve('stopped'))
      }),
    settle: () => {
      for (const timer of timers) clearTimeout(timer)
      plans.clear()
      dying.clear()
      timers.clear()
      stops.clear()
      const result = { killed, cut }
      killed = 0
      cut = new Set()
      return result
    },
    arrived: (exchange) => {
      const plan = plans.get(exchange.drainer)
      const call = exchange.service === 'database' ? exchange.call : exchange.service
      if (!plan || plan.moment.call !== call || ++plan.seen < plan.moment.nth) return 'pass'
      const { drainer, moment } = plan
      plans.delete(drainer.name)
      switch (moment.how) {
        case 'cut':
          cut.add(drainer)
          return 'cut'
        case 'stopped':
          drainer.worker.signal('STOP')
          stops.get(drainer)?.()
          return 'deliver'
        case 'answered':
          dying.set(exchange, drainer)
          return 'pass'
        case 'later':
          timers.add(setTimeout(end, moment.ms, drainer))
          return 'pass'
        default:
          end(drainer)
          return moment.how === 'lost' ? 'lose' : 'deliver'
      }
    },
    answered: (exchange) => {
      const drainer = dying.get(exchange)
      if (drainer && dying.delete(exchange)) end(drainer)
    },
  }
}
