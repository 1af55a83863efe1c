import { Client } from 'pg'
import type { LocalKeys } from '../../../supabase/local/keys'
import { passBy } from '../network'
import type { Stack } from '../stack'
import type { ClusterConnection } from './cluster'
import { type Baseline, emptyDatabase, readBaseline } from './emptying'
import { type Gateway, startGateway } from './gateway'
import { until } from './poll'
import { clientConfig } from './server'
import { type PostgresStack, startPostgresStack } from './stack'
import { getTypeParser } from './values'

interface Kept {
  stack: PostgresStack
  baseline: Baseline
  admin: Client
  isLent: boolean
}

// Modules are reset between the files of a worker; its process stays.
const worker = globalThis as { keptStack?: Kept }

/**
 * Lends the worker's stack to a test file: Postgres, PostgREST and Auth run once a worker, the database is empty as
 * after the migrations, and the address is the file's own, so that work left behind by one file reaches no other.
 * A second stack of the same file is one of its own. What changes the schema costs the worker a new stack.
 */
export async function lendWorkerStack(connection: ClusterConnection, keys: LocalKeys): Promise<Stack> {
  if (worker.keptStack?.isLent) return startPostgresStack(connection, keys)
  worker.keptStack ??= await start(connection, keys)
  const kept = worker.keptStack
  kept.isLent = true
  const { stack, admin } = kept
  const gateway = await startGateway(keys)
  gateway.connect(stack.services)
  const passNoMore = passBy(gateway.url, gateway.behind)
  const client = new Client({ ...clientConfig(connection, stack.database), types: { getTypeParser } })
  client.on('error', () => {})
  await client.connect()
  stack.mails.length = 0
  let closing: Promise<void> | undefined
  return {
    ...stack,
    url: gateway.url,
    sql: async <Row>(query: string, parameters: unknown[] = []) =>
      (await client.query(query, parameters)).rows as Row[],
    close: () => {
      passNoMore()
      closing ??= giveBack(kept, gateway, client, admin)
      return closing
    },
  }
}

async function start(connection: ClusterConnection, keys: LocalKeys): Promise<Kept> {
  const stack = await startPostgresStack(connection, keys)
  const admin = new Client(clientConfig(connection, stack.database))
  admin.on('error', () => {})
  await admin.connect()
  return { stack, baseline: await readBaseline(admin), admin, isLent: false }
}

/** Empties the database for the next file, or gives it up. */
async function giveBack(kept: Kept, gateway: Gateway, client: Client, admin: Client): Promise<void> {
  await gateway.close()
  await client.end()
  const isUsable = await untilIdle(admin)
    .then(() => emptyDatabase(admin, kept.baseline))
    .catch(() => false)
  kept.isLent = false
  if (isUsable) return
  worker.keptStack = undefined
  await admin.end().catch(() => {})
  await kept.stack.close()
}

/** Waits for the statements that the API still runs for callers who have left. */
function untilIdle(admin: Client): Promise<true> {
  const busy = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and state <> 'idle' and backend_type = 'client backend'`
  const process = { isRunning: () => true, output: () => '' }
  return until('End of the last statements', 20_000, process, async () => {
    const { rowCount } = await admin.query(busy)
    return rowCount === 0 || undefined
  })
}
