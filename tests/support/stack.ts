import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { startEmbedded } from '../../supabase/local/embedded'
import { serveStack } from '../../supabase/local/http'
import type { LocalKeys } from '../../supabase/local/keys'
import type { ClusterConnection } from './postgres/cluster'

declare module 'vitest' {
  export interface ProvidedContext {
    keys: LocalKeys
    snapshot: string
    postgres: ClusterConnection
  }
}

/** A Supabase of a test file's own, served on loopback, with an empty migrated database. */
export interface Stack {
  url: string
  keys: LocalKeys
  /** Raw SQL as the database's owner: to arrange and to look behind the API. */
  sql: <Row = Record<string, unknown>>(query: string, parameters?: unknown[]) => Promise<Row[]>
  /** Stops the API and the database (as in an outage); `close` may still follow. */
  close: () => Promise<void>
}

/** Starts the stack that STACK names: `embedded` (default) or `postgres`. */
export async function startStack(): Promise<Stack> {
  const keys = inject('keys')
  if (process.env.STACK === 'postgres') {
    const { startPostgresStack } = await import('./postgres/stack')
    return startPostgresStack(inject('postgres'), keys)
  }
  const embedded = await startEmbedded({ snapshot: new Blob([await readFile(inject('snapshot'))]) }, keys)
  const served = await serveStack(embedded)
  return {
    url: served.url,
    keys,
    sql: embedded.sql,
    close: async () => {
      await served.close()
      await embedded.close()
    },
  }
}
