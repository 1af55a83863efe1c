import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LocalKeys } from '../../supabase/local/keys'
import { startWorker, type Worker } from '../bench/support/worker'
import { createGroup } from '../factories/group'
import { createAutomation, DECLARED, noQuietHours } from '../factories/messaging'
import type { Random } from '../fakes/pms/random'
import type { ClusterConnection } from '../support/postgres/cluster'
import { startPostgresStack } from '../support/postgres/stack'
import type { Stack } from '../support/stack'
import { type Breakage, breakEngine } from './breakages'
import type { LargeQuestion } from './large-worker'

const LEASE_MS = 181_000
const POLL_MS = 20
/** The bytes of a ledger's line. */
const LINE = 82
/** Three guests in five are written to. */
const SHARE = 0.6

/** Kills the process that plans and sends a run for so many guests, again and again. */
export interface LargeOptions {
  guests: number
  kills: number
  random: Random
  env: Record<string, string>
  breakage: Breakage | undefined
}

/**
 * One run for three guests in five. Its process is killed while it plans, sends and records; the next one goes on as
 * the scheduler does; the last one is left alone and has to end the run.
 * @returns what was wrong, in words; none: every guest was written to once
 */
export async function playLargeRun(
  cluster: ClusterConnection,
  keys: LocalKeys,
  { guests, kills, random, env, breakage }: LargeOptions,
): Promise<string[]> {
  const stack = await startPostgresStack(cluster, keys)
  const folder = mkdtempSync(join(tmpdir(), 'sobremesa-ledger-'))
  const ledger = join(folder, 'ledger')
  writeFileSync(ledger, '')
  const start = (): Worker<LargeQuestion, 'drained'> =>
    startWorker(new URL('./large-worker.ts', import.meta.url), env)
  let spare = start()
  try {
    const { organizationId, automationId } = await makeGuests(stack, guests)
    if (breakage) await breakEngine(stack, breakage)
    const most = (guests * SHARE * 2) / kills
    const place = { url: stack.url, secretKey: stack.keys.secretKey, organizationId, automationId, ledger }
    const phases = { planning: 0, sending: 0 }
    let killed = 0
    for (;;) {
      const worker = spare
      spare = start()
      const { runs } = await progress(stack, automationId)
      const question = { ...place, offsetMs: killed * LEASE_MS, begun: runs > 0 }
      // Some die before they have sent anything: by the clock.
      const fate = killed < kills ? { lines: random.int(0, most), ms: random.int(50, 2500) } : undefined
      if ((await live(worker, question, fate)) === 'drained') break
      killed++
      const { planning } = await progress(stack, automationId)
      phases[planning ? 'planning' : 'sending']++
      if (killed % 10 === 0) console.log(`${killed} kills, ${lineCount(ledger)} e-mails accepted …`)
    }
    console.log(`${killed} kills: ${phases.planning} while it was planned, ${phases.sending} afterwards`)
    return await verdict(stack, automationId, guests, ledger)
  } finally {
    spare.signal('KILL')
    rmSync(folder, { recursive: true, force: true })
    await stack.close()
  }
}

/** Lets a process work; with a fate it is killed after so many accepted e-mails, or so long without one. */
async function live(
  worker: Worker<LargeQuestion, 'drained'>,
  question: LargeQuestion,
  fate: { lines: number; ms: number } | undefined,
): Promise<'drained' | 'killed'> {
  const [before, began] = [lineCount(question.ledger), performance.now()]
  let error: unknown
  const work = worker.ask(question).catch((reason: unknown) => {
    error = reason
    return 'ended' as const
  })
  for (;;) {
    const end = await Promise.race([work, pause(POLL_MS, undefined)])
    if (end === 'ended') throw error
    if (end === 'drained') {
      await worker.stop()
      return end
    }
    const accepted = lineCount(question.ledger) - before
    if (!fate || (accepted > 0 ? accepted <= fate.lines : performance.now() - began < fate.ms)) continue
    worker.signal('KILL')
    await work
    return 'killed'
  }
}

async function makeGuests(stack: Stack, guests: number) {
  const group = await createGroup(stack, 'Grupo Caos', [{ name: 'Norte', slug: 'norte' }])
  await noQuietHours(stack)
  await stack.sql(
    `insert into public.customers (organization_id, location_id, first_name, last_name, email, tags, total_spend, consents)
     select $1, $2, 'Ana', 'Ruiz', 'ana-' || n || '@caos.example', array[case when n % 5 < 3 then 'boletin' else 'otra' end],
       500, $4::jsonb from generate_series(1, $3::integer) as n`,
    [group.id, group.locations[0]?.id, guests, JSON.stringify(DECLARED)],
  )
  await stack.sql('analyze public.customers')
  const automationId = await createAutomation(stack, group.id, {
    type: 'vip_reward',
    criteria: { min_spend: 100 },
    tags: ['boletin'],
    control_share: 0,
  })
  return { organizationId: group.id, automationId }
}

async function progress(stack: Stack, automationId: string) {
  const [row] = await stack.sql<{ runs: number; planning: boolean }>(
    `select count(*)::int as runs, coalesce(bool_or(planning), true) as planning
     from public.automation_runs where automation_id = $1`,
    [automationId],
  )
  return row ?? { runs: 0, planning: true }
}

const lineCount = (ledger: string) => Math.floor(statSync(ledger).size / LINE)

/** The provider repeats nothing under a key that it knows; the same e-mail under two keys would arrive twice. */
async function verdict(
  stack: Stack,
  automationId: string,
  guests: number,
  ledger: string,
): Promise<string[]> {
  const accepted = readFileSync(ledger, 'utf8').split('\n').filter(Boolean)
  const pairs = new Set(accepted)
  const ids = new Set([...pairs].map((pair) => pair.split(' ')[1]))
  const messages = await stack.sql<{ id: string; status: string; customer_id: string }>(
    'select id::text, status, customer_id::text from public.messages where automation_id = $1',
    [automationId],
  )
  const runs = await stack.sql<Record<string, unknown>>(
    `select status, planning, processed, sent, skipped, failed from public.automation_runs where automation_id = $1`,
    [automationId],
  )
  const wanted = Array.from({ length: guests }, (_, n) => n + 1).filter((n) => n % 5 < 3).length
  const customers = new Set(messages.map(({ customer_id }) => customer_id))
  const sent = messages.filter(({ status }) => status === 'sent')
  const figures = {
    doubled: pairs.size - ids.size + messages.length - customers.size,
    lost: wanted - customers.size + sent.filter(({ id }) => !ids.has(id)).length,
    'not sent': messages.length - sent.length,
    'runs open': runs.filter(({ status, planning }) => status !== 'finished' || planning).length,
    'wrong in the log': Math.abs(runs.reduce((sum, run) => sum + Number(run.sent), 0) - sent.length),
  }
  const repeated = accepted.length - pairs.size
  console.log(
    `${wanted} guests, ${sent.length} sent, ${repeated} e-mails repeated under their key, ${JSON.stringify(figures)}`,
  )
  return Object.entries(figures).flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]))
}
