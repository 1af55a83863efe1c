import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../fakes/pms/random'
import { type Audience, createAudience, meddle } from './audience'
import type { DrainQuestion } from './drain-worker'
import type { Drainer, Drainers } from './drainers'
import { drawFault } from './fakes'
import { drawCertainMoment, drawMoment } from './moments'
import type { Place } from './place'
import { judge, type Verdict } from './verdict'

const LEASE_SECONDS = 180
const MOST_ROUNDS = 60

export interface Scenario {
  run: number
  /** Processes that drain at once. */
  drainers: number
  random: Random
}

/** A drainer at work, and what comes of it. */
interface Working {
  drainer: Drainer
  outcome: Promise<{ drainer: Drainer; error?: unknown }>
}

/** One run: rounds with faults and kills, then rounds without until nothing is open; then the verdict. */
export async function playRun(place: Place, pool: Drainers, scenario: Scenario): Promise<Verdict> {
  const { random, drainers, run } = scenario
  // A campaign before it ran until days later; this run begins now.
  await place.stack.sql('delete from public.channel_pace where organization_id = $1', [place.group.id])
  const audience = await createAudience(place, random, run)
  // Long runs use up the attempts of some messages.
  const isLong = random.chance(0.15)
  const rounds = isLong ? 12 : random.int(1, 4)
  let offsetMs = 0
  const totals = { kills: 0, stops: 0 }
  const problems: string[] = []
  let asleep: Working[] = []

  async function round(danger: 'first' | 'more' | 'none'): Promise<void> {
    const taken = pool.take(drainers)
    if (danger !== 'none') sealFates(place, random, taken, danger, audience)
    // A day later what was skipped or failed would be tried again.
    const isFresh = audience.campaign === null && offsetMs < 20 * 3_600_000
    const automations = isFresh ? audience.automations : []
    const working = taken.map((drainer) =>
      start(place, drainer, { automations, campaign: audience.campaign }, offsetMs),
    )
    const woken = asleep
    asleep = []
    const waking = pause(random.int(0, 150)).then(() => {
      for (const { drainer } of woken) drainer.worker.signal('CONT')
    })
    const ended = await Promise.all([
      ...working.map((one) => Promise.race([one.outcome, place.fate.stopped(one.drainer)])),
      ...woken.map(({ outcome }) => outcome),
    ])
    await waking
    const { killed, cut } = place.fate.settle()
    asleep = working.filter((_, index) => ended[index] === 'stopped')
    totals.kills += killed
    totals.stops += asleep.length
    for (const end of ended) {
      if (end === 'stopped') continue
      const { drainer, error } = end
      if (error === undefined || cut.has(drainer)) pool.giveBack([drainer])
      else if (!drainer.killed) problems.push(`a drainer failed: ${error}`)
    }
  }

  for (let nth = 0; nth < rounds; nth++) {
    await place.twilio.setFault(drawFault(random, 'twilio'))
    await place.resend.setFault(drawFault(random, 'resend'))
    await round(nth === 0 ? 'first' : 'more')
    await meddle(place, random, audience)
    if (isLong) offsetMs = await whenDue(place, offsetMs, 'min')
    else if (random.chance(0.6)) offsetMs += (LEASE_SECONDS + random.int(1, 300)) * 1000
    if (random.chance(0.5)) await resume(place, audience, offsetMs)
  }
  await place.twilio.setFault(null)
  await place.resend.setFault(null)
  for (let nth = 0; nth < MOST_ROUNDS && (asleep.length > 0 || (await isOpen(place, audience))); nth++) {
    await resume(place, audience, offsetMs)
    const due = await whenDue(place, offsetMs, 'max')
    // Nothing is queued: the test's end, the follow-up, or the campaign's end comes next.
    offsetMs = due === offsetMs && audience.campaign !== null ? due + 25 * 3_600_000 : due
    await round('none')
  }
  const verdict = await judge(place, audience, totals)
  return { ...verdict, violations: [...problems, ...verdict.violations] }
}

function sealFates(
  { fate }: Place,
  random: Random,
  drainers: Drainer[],
  danger: 'first' | 'more',
  { campaign }: Audience,
): void {
  const planning = campaign === null ? 'enqueue_run' : 'plan_campaign'
  const doomed = random.int(1, Math.ceil(drainers.length / 2))
  for (const [index, drainer] of drainers.slice(0, doomed).entries())
    fate.set(
      drainer,
      danger === 'first' && index === 0 ? drawCertainMoment(random, planning) : drawMoment(random, planning),
    )
}

function start(
  { tap, stack, group }: Place,
  drainer: Drainer,
  work: Pick<DrainQuestion, 'automations' | 'campaign'>,
  offsetMs: number,
): Working {
  const { name, worker } = drainer
  const urls = {
    database: tap.url(name, 'database'),
    twilio: tap.url(name, 'twilio'),
    resend: tap.url(name, 'resend'),
  }
  const { secretKey } = stack.keys
  const answer = worker.ask({ urls, secretKey, organizationId: group.id, ...work, offsetMs })
  const outcome = answer.then(
    () => ({ drainer }),
    (error: unknown) => ({ drainer, error }),
  )
  return { drainer, outcome }
}

/** Somebody lets paused runs go on. */
async function resume(
  { stack, group }: Place,
  { automations, campaign }: Audience,
  offsetMs: number,
): Promise<void> {
  if (campaign !== null) {
    await stack.sql(`select public.move_campaign($1, $2, 'resume', null, null, null, $3)`, [
      group.id,
      campaign,
      new Date(Date.now() + offsetMs),
    ])
    return
  }
  await stack.sql(
    `select public.resume_run($1, run.automation_id, run.id, $3) from public.automation_runs run
     where run.automation_id = any($2) and run.status = 'paused'`,
    [group.id, automations, new Date(Date.now() + offsetMs)],
  )
}

/** A second after the first or the last message is due or its lease ends, if that is later than now. */
async function whenDue({ stack, group }: Place, offsetMs: number, which: 'min' | 'max'): Promise<number> {
  const [row] = await stack.sql<{ due: string | null }>(
    `select (extract(epoch from ${which}(greatest(coalesce(m.lease_until, m.not_before), p.next_at))) * 1000)::text as due
     from public.messages m
     left join public.channel_pace p on p.organization_id = m.organization_id and p.channel = m.channel
     where m.organization_id = $1 and m.status in ('queued', 'sending')`,
    [group.id],
  )
  return Math.max(offsetMs, Math.ceil(Number(row?.due ?? 0)) - Date.now() + 1000)
}

async function isOpen({ stack }: Place, { automations, campaign, customers }: Audience): Promise<boolean> {
  if (campaign !== null) {
    const [row] = await stack.sql<{ status: string }>('select status from public.campaigns where id = $1', [
      campaign,
    ])
    return row?.status !== 'finished'
  }
  const [row] = await stack.sql<{ settled: number }>(
    `select count(*)::int as settled from public.messages
     where automation_id = any($1) and status not in ('queued', 'sending')`,
    [automations],
  )
  return (row?.settled ?? 0) < customers
}
