import { stackClient } from '../../factories/group'
import { createAutomation } from '../../factories/messaging'
import { type Figure, median, seconds } from '../support/figures'
import type { Lab } from './lab'

const RECIPIENTS = 10_000
const LATENCY_MS = 50
const IN_FLIGHT = 32
const ROUNDS = 2
const IDEAL_MS = (RECIPIENTS * LATENCY_MS) / IN_FLIGHT

/** Sending 10,000 by a provider that takes 50 ms for each and 32 at once: 640 a second if nothing else took time. */
export async function send({ stack, group, app }: Lab): Promise<Figure[]> {
  await stack.sql('update public.organizations set frequency_cap_days = 0')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const automation = await createAutomation(stack, group.id, {
      type: 'vip_reward',
      channel: 'sms',
      criteria: { min_spend: 1000 },
    })
    await stackClient(stack, 'service')
      .rpc('enqueue_run', {
        p_organization: group.id,
        p_automation: automation,
        p_triggered_by: 'manual',
      })
      .throwOnError()
    const { sent, mostInFlight, milliseconds } = await app({ ask: 'send', latencyMs: LATENCY_MS })
    if (sent !== RECIPIENTS) throw new Error(`${RECIPIENTS} messages expected, ${sent} sent`)
    if (mostInFlight > IN_FLIGHT) throw new Error(`${mostInFlight} requests at once`)
    times.push(milliseconds)
  }
  const rates = times.map((time) => `${seconds(time)}: ${((RECIPIENTS / time) * 1000).toFixed(0)}/s`)
  return [
    {
      name: `10,000 messages, 50 ms each, 32 in flight: time / the ideal ${seconds(IDEAL_MS)}`,
      measured: median(times) / IDEAL_MS,
      unit: '×',
      // At least 90 % of the ideal rate.
      bound: Number((1 / 0.9).toFixed(2)),
      detail: rates.join(', '),
    },
  ]
}
