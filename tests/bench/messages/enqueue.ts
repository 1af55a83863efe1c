import { stackClient } from '../../factories/group'
import { createAutomation, type NewAutomation } from '../../factories/messaging'
import { type Figure, median, seconds } from '../support/figures'
import type { Lab } from './lab'

const RECIPIENTS = 10_000
const ROUNDS = 3
const AUDIENCES: NewAutomation[] = [
  { type: 'vip_reward', criteria: { min_spend: 1000 } },
  { type: 'vip_reward', criteria: { min_spend: 1000 }, control_share: 10 },
  { type: 'birthday', criteria: { days_before: 7 } },
  { type: 'reengagement', criteria: { inactive_days: 90 } },
]

/** Putting 10,000 messages out of 200,000 customers into the outbox, over HTTP, by type of audience. */
export async function enqueue(lab: Lab): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const audience of AUDIENCES) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await enqueueOnce(lab, audience))
    figures.push({
      name: `enqueue 10,000 of 200,000 customers (${nameOf(audience)}), one transaction`,
      measured: median(times) / 1000,
      unit: 's',
      bound: 2,
      detail: times.map(seconds).join(', '),
    })
  }
  return figures
}

const nameOf = ({ type, control_share: share }: NewAutomation) =>
  share ? `${type}, ${share} % in the control group` : type

async function enqueueOnce({ stack, group }: Lab, audience: NewAutomation): Promise<number> {
  const automation = await createAutomation(stack, group.id, { ...audience, channel: 'sms' })
  const start = performance.now()
  const { data, error } = await stackClient(stack, 'service').rpc('enqueue_run', {
    p_organization: group.id,
    p_automation: automation,
    p_triggered_by: 'manual',
  })
  const milliseconds = performance.now() - start
  if (error) throw error
  const { run_id } = data as { run_id: string }
  const [made] = await stack.sql<{ planned: number; transactions: number }>(
    `select count(*) filter (where status = 'queued' or reason = 'control_group')::int as planned, count(distinct version)::int as transactions
     from (select status, reason, xmin::text as version from public.messages where run_id = $1
       union all select null, null, xmin::text from public.automation_runs where id = $1) as rows`,
    [run_id],
  )
  if (made?.planned !== RECIPIENTS || made.transactions !== 1)
    throw new Error(`${RECIPIENTS} in one transaction expected: ${JSON.stringify(made)}`)
  await stack.sql('delete from public.messages where run_id = $1', [run_id])
  await stack.sql('vacuum analyze public.messages')
  return milliseconds
}
