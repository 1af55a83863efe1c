import { Client } from 'pg'
import { PASSWORD, stackClient } from '../../factories/account'
import { claimsOf } from '../../factories/group'
import { LAB_DATABASE, type RunningLab, serveLab } from '../../lab/cluster'
import { labDirectory } from '../../lab/settings'
import { clientConfig } from '../../support/postgres/server'
import type { Figure } from '../support/figures'
import { HOT_STATEMENTS, type HotStatement } from './hot-statements'

/** Tables no hot statement may read from end to end. */
const LARGE = new Set([
  'customers',
  'reservations',
  'messages',
  'loyalty_points',
  'identity_pairs',
  'customer_rhythms',
])

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Actual Loops'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

/**
 * The plans of the hot statements in the lab, those inside functions included: each uses its index, reads no large
 * table from end to end, and discards few of the rows it reads. Writes nothing that stays.
 */
export async function planFigures(): Promise<Figure[]> {
  const running = await serveLab(labDirectory())
  try {
    const client = new Client(clientConfig(running.connection, LAB_DATABASE))
    await client.connect()
    try {
      const figures: Figure[] = []
      for (const statement of HOT_STATEMENTS) figures.push(await judge(client, running, statement))
      return figures
    } finally {
      await client.end()
    }
  } finally {
    await running.stop()
  }
}

async function judge(client: Client, running: RunningLab, hot: HotStatement): Promise<Figure> {
  const { plans, milliseconds } = await plansOf(client, running, hot)
  const nodes = plans.flatMap(nodesOf)
  const used = new Set(nodes.map((node) => node['Index Name'] ?? '').filter(Boolean))
  const faults = [
    ...hot.indexes
      .filter((choice) => !choice.split('|').some((name) => used.has(name)))
      .map((choice) => `without ${choice}`),
    ...nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && LARGE.has(node['Relation Name'] ?? ''))
      .map((node) => `reads all of ${node['Relation Name']}`),
    ...nodes
      .filter((node) => LARGE.has(node['Relation Name'] ?? '') && discarded(node) > hot.mostDiscarded)
      .map((node) => `discards ${discarded(node)} rows of ${node['Relation Name']}`),
  ]
  const blocks = plans.reduce(
    (sum, plan) => sum + (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    0,
  )
  return {
    name: `plan: ${hot.name}`,
    measured: new Set(faults).size,
    unit: 'faults',
    bound: 0,
    detail: `${[...new Set(faults)].join(', ')}${faults.length > 0 ? '; by ' : ''}${[...used].filter(isHot).join(', ')}; ${milliseconds.toFixed(0)} ms, ${blocks} blocks`,
  }
}

/** The indexes of the check of who asks are in every plan. */
const isHot = (index: string) =>
  !/^(sessions|profiles|profile_locations|locations|organizations)_/.test(index)

/** auto_explain also has the plans of the statements inside functions. */
async function plansOf(client: Client, running: RunningLab, hot: HotStatement) {
  const plans: PlanNode[] = []
  let milliseconds = 0
  const listen = ({ message }: { message?: string }) => {
    const json = message?.startsWith('duration:') ? message.slice(message.indexOf('{')) : undefined
    if (json) plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan)
  }
  const claims = hot.as ? await claimsFor(running, hot.as) : undefined
  await client.query("load 'auto_explain'")
  await client.query('begin')
  try {
    if (hot.before) {
      const { sql, values } = hot.before(running.lab)
      await client.query('set local session_replication_role = replica')
      await client.query(sql, values)
      await client.query('set local session_replication_role = origin')
    }
    await client.query(
      `select set_config('auto_explain.' || name, value, true) from (values ('log_min_duration', '0'),
         ('log_nested_statements', 'on'), ('log_analyze', 'on'), ('log_buffers', 'on'), ('log_format', 'json'),
         ('log_level', 'notice')) as s (name, value)`,
    )
    if (claims) await client.query("select set_config('request.jwt.claims', $1, true)", [claims])
    await client.query(`set local role ${hot.as ? 'authenticated' : 'service_role'}`)
    const { sql, values } = hot.statement(running.lab)
    client.on('notice', listen)
    const begin = performance.now()
    await client.query(sql, values)
    milliseconds = performance.now() - begin
  } finally {
    // A statement with parameters is explained when it is closed, which this does.
    await client.query('rollback')
    client.off('notice', listen)
  }
  return { plans, milliseconds }
}

const claims = new Map<string, string>()

async function claimsFor({ lab, stack }: RunningLab, who: 'everywhere' | 'bound'): Promise<string> {
  const person =
    who === 'bound'
      ? lab.people.find(({ role, bound }) => role === 'operaciones' && bound)
      : lab.people.find(({ role }) => role === 'super_admin')
  const email = person?.email ?? ''
  const known = claims.get(email)
  if (known) return known
  const db = stackClient(stack, 'anon')
  const { error } = await db.auth.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  const found = await claimsOf({ db })
  claims.set(email, found)
  return found
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

const discarded = (node: PlanNode) =>
  ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1)
