import { inject } from 'vitest'
import { startEmbedded } from '../../supabase/local/embedded'
import { serveStack } from '../../supabase/local/http'
import type { LocalKeys } from '../../supabase/local/keys'
import type { ArrivedMail } from '../fakes/mail/server'
import type { AuthOptions } from './postgres/auth'
import type { ClusterConnection } from './postgres/cluster'
import { lendWorkerDatabase } from './worker-database'

declare module 'vitest' {
  export interface ProvidedContext {
    keys: LocalKeys
    snapshot: string
    postgres: ClusterConnection
  }
}

/** A Supabase of a test file's own, served on loopback, with an empty migrated database. */
export interface Stack {
  kind: 'embedded' | 'postgres'
  url: string
  keys: LocalKeys
  /** Raw SQL as the database's owner: to arrange and to look behind the API. */
  sql: <Row = Record<string, unknown>>(query: string, parameters?: unknown[]) => Promise<Row[]>
  /** The mails that Auth has sent, in order. On Postgres only: the embedded stack drops them. */
  mails: ArrivedMail[]
  /** Stops the API and the database (as in an outage); `close` may still follow. */
  close: () => Promise<void>
}

/**
 * Starts the stack that STACK names: `embedded` (default) or `postgres`, whose Auth takes options. RLS_MUTATION is SQL
 * that breaks the schema's rights on purpose: tests/support/rls-mutations.ts sets it to prove that some test notices.
 */
export async function startStack(authOptions?: AuthOptions): Promise<Stack> {
  const stack = await startUnbroken(authOptions)
  const mutation = process.env.RLS_MUTATION
  if (!mutation) return stack
  try {
    await stack.sql(`do $mutation$ begin ${mutation}; end $mutation$`)
  } catch (error) {
    await stack.close()
    throw new Error(`RLS_MUTATION does not run: ${mutation}`, { cause: error })
  }
  return stack
}

async function startUnbroken(authOptions?: AuthOptions): Promise<Stack> {
  const keys = inject('keys')
  if (process.env.STACK === 'postgres') {
    const cluster = inject('postgres')
    if (!authOptions && !process.env.RLS_MUTATION) {
      const { lendWorkerStack } = await import('./postgres/worker-stack')
      return lendWorkerStack(cluster, keys)
    }
    const { startPostgresStack } = await import('./postgres/stack')
    return startPostgresStack(cluster, keys, authOptions)
  }
  const { database, giveBack } = await lendWorkerDatabase(inject('snapshot'))
  const embedded = await startEmbedded({ database }, keys)
  const served = await serveStack(embedded)
  let closing: Promise<void> | undefined
  return {
    kind: 'embedded',
    url: served.url,
    keys,
    sql: embedded.sql,
    mails: [],
    close: () => {
      closing ??= served.close().then(giveBack)
      return closing
    },
  }
}
