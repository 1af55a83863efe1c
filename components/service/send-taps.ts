import { type Refusal, send } from '@/components/forms/send'
import type { Party, TapAnswer } from '@/lib/service/schema'
import { queuesOf, type TapQueue } from './tap-queue'

const TAPS_A_REQUEST = 50
/** How long a request with taps may take until they are sent again. */
const SENDING_MS = 20_000

/** Why the last request failed. */
export type Failure = Pick<Refusal, 'status' | 'code'>

/** What sending came to: whether more can be sent at once, and why not. */
interface Sent {
  goesOn: boolean
  failure: Failure | null
}

// The request itself is wrong, so it would be refused again. After any other failure it is sent again.
const isFinal = ({ status, code }: Failure): boolean => code !== undefined && [400, 413, 422].includes(status)

/** Sends all taps of a queue, oldest first. The parties are those of the list, for the names in what is refused. */
export async function sendTaps(queue: TapQueue, parties: readonly Party[]): Promise<Sent> {
  let sent: Sent = { goesOn: true, failure: null }
  while (sent.goesOn && queue.unsent() > 0) sent = await sendNext(queue, parties, TAPS_A_REQUEST)
  return sent
}

async function sendNext(queue: TapQueue, parties: readonly Party[], atMost: number): Promise<Sent> {
  const taps = queue.take(atMost)
  if (taps.length === 0) return { goesOn: true, failure: null }
  const body = { location_id: queue.location, taps }
  const answer = await send<TapAnswer[]>('POST', '/api/service/taps', body, {
    signal: AbortSignal.timeout(SENDING_MS),
  })
  const failure = answer.ok ? null : answer
  if (failure && !isFinal(failure)) return { goesOn: false, failure }
  // One malformed tap does not lose those that were sent with it.
  if (failure && taps.length > 1) {
    let sent: Sent = { goesOn: true, failure }
    for (let left = taps.length; sent.goesOn && left > 0; left -= 1) sent = await sendNext(queue, parties, 1)
    return sent
  }
  queue.settle(answer.ok ? answer.data : taps.map(({ key }) => ({ key, outcome: 'malformed' })), parties)
  return { goesOn: true, failure }
}

/** Sends what a person tapped at any location without a connection: the page does not show it. */
export async function sendQueues(person: string): Promise<void> {
  for (const queue of queuesOf(person)) if (!(await sendTaps(queue, [])).goesOn) return
}
