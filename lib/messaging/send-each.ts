import { setTimeout as pause } from 'node:timers/promises'
import { createGate, type Gate, type Passage } from './gate'
import type { OutboundMessage, Outcome } from './provider'

// A batch is leased for three minutes (drain.ts) and must be over well before.
const BUDGET_MS = 90_000
const SHORT_PAUSE_SECONDS = 5

/** Time, for tests to hold still. */
export interface Clock {
  now: () => Date
  sleep: (ms: number) => Promise<unknown>
}

const realClock: Clock = { now: () => new Date(), sleep: pause }

interface Pace {
  parallel: number
  gate?: Gate
  clock?: Clock
}

/**
 * Sends groups of messages, each with one request, `parallel` at once; one outcome a message, in order. A provider
 * that asks to slow down for a few seconds is waited for. When it is in trouble (any other retryable or ambiguous
 * outcome, here or in another batch at the same gate), what has not begun is not even tried: it comes back retryable,
 * for sure unsent.
 */
export async function sendEach(
  groups: OutboundMessage[][],
  send: (group: OutboundMessage[]) => Promise<Outcome[]>,
  { parallel, clock = realClock, gate = createGate(parallel)() }: Pace,
): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = []
  const end = clock.now().getTime() + BUDGET_MS
  let next = 0
  let trouble: Outcome | undefined

  async function sendPatiently(group: OutboundMessage[]): Promise<Outcome[]> {
    for (;;) {
      const result = await send(group)
      const wait = result[0]?.kind === 'retryable' ? result[0].afterSeconds : undefined
      const ms = Math.max(wait ?? 0, 1) * 1000
      const patient = wait !== undefined && wait <= SHORT_PAUSE_SECONDS && clock.now().getTime() + ms < end
      if (!patient || trouble) return result
      await clock.sleep(ms)
    }
  }

  /** The gate may have opened only after others met trouble. */
  async function begin(group: OutboundMessage[]): Promise<Outcome[]> {
    if (gate.troubled() || clock.now().getTime() >= end) trouble ??= HELD_BACK
    const held = trouble
    const result = held ? group.map(() => held) : await sendPatiently(group)
    trouble ??= troubleOf(result)
    return result
  }

  async function work(): Promise<void> {
    for (let index = next++; index < groups.length; index = next++) {
      const group = groups[index] ?? []
      outcomes[index] = await gate.pass(() => begin(group), passageOf)
    }
  }

  await Promise.all(Array.from({ length: Math.min(parallel, groups.length) }, work))
  return outcomes
}

const HELD_BACK = { kind: 'retryable', reason: 'held_back' } as const satisfies Outcome

function passageOf(result: Outcome[]): Passage {
  if (result.every((outcome) => outcome.kind === 'retryable' && outcome.reason === HELD_BACK.reason))
    return 'untried'
  return troubleOf(result) ? 'trouble' : 'fine'
}

function troubleOf(result: Outcome[]): Outcome | undefined {
  if (result.some(({ kind }) => kind === 'ambiguous')) return HELD_BACK
  return result.find(({ kind }) => kind === 'retryable')
}
