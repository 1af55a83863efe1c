import { createAutomation } from '../../factories/messaging'
import { type Figure, median } from '../support/figures'
import type { Lab } from './lab'

const ROUNDS = 3
// A small function's heap. With the gigabytes of a large machine V8 lets garbage lie, and that is what one would measure.
const SMALL_HEAP = ['--max-old-space-size=512', '--max-semi-space-size=16']

/** What a whole run takes of a process that has just started, at 100,000 recipients beside 10,000. */
export async function memory(lab: Lab): Promise<Figure[]> {
  await lab.stack.sql('update public.organizations set frequency_cap_days = 0')
  const few: number[] = []
  const many: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    few.push(await peakOfRun(lab, 10_000, { criteria: { min_spend: 1000 } }))
    many.push(await peakOfRun(lab, 100_000, { criteria: { min_spend: 0 }, tags: ['many'] }))
  }
  const list = (peaks: number[]) => peaks.map((peak) => peak.toFixed(0)).join(', ')
  return [
    {
      name: 'peak memory at 100,000 recipients / at 10,000, 512 MB of heap',
      measured: median(many) / median(few),
      unit: '×',
      bound: 1.2,
      detail: `${list(many)} MB; ${list(few)} MB`,
    },
  ]
}

async function peakOfRun(
  { stack, group, app }: Lab,
  recipients: number,
  audience: { criteria: object; tags?: string[] },
): Promise<number> {
  const automationId = await createAutomation(stack, group.id, {
    type: 'vip_reward',
    channel: 'sms',
    ...audience,
  })
  const { sent, peakMb } = await app({ ask: 'run', automationId }, SMALL_HEAP)
  if (sent !== recipients) throw new Error(`${recipients} messages expected, ${sent} sent`)
  return peakMb
}
