import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Change, changesBetween, dumpObjects } from '../../../supabase/release/dump'
import type { ReferenceRows } from '../../../supabase/release/migration'
import { readMigrations } from '../../../supabase/release/migrations'
import { buildFromSources, readSources } from '../../../supabase/release/sources'
import { filledTables } from './emptying'
import { clientConfig, databaseUrl, postgresBinaries, type ServerAddress } from './server'
import { createHostedDatabase, OWNER_ROLE } from './template'

/** How two databases differ: their objects with rights and comments, and the rows that come with the schema. */
export interface Difference {
  changes: Change[]
  rows: { before: ReferenceRows; after: ReferenceRows }
}

/** A server with the roles of hosted Supabase, and the program of Auth. */
export type HostedServer = ServerAddress & { authBinary: string }

/** Makes a database of a new project and lets the owner fill it. @returns its name. */
export async function makeDatabase(
  server: HostedServer,
  fill: (run: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<string> {
  const name = `made_${randomBytes(6).toString('hex')}`
  await createHostedDatabase(server, server.authBinary, name)
  await oneByOne(server, () =>
    connected(server, name, OWNER_ROLE, (client) => fill((sql) => client.query(sql))),
  )
  return name
}

/** Waits for others who migrate a database of the server: settings of roles are the server's, and two cannot change one. */
export function oneByOne<T>(server: ServerAddress, work: () => Promise<T> | T): Promise<T> {
  return connected(server, 'postgres', server.superuser, async (client) => {
    await client.query('select pg_advisory_lock(1)')
    return work()
  })
}

/** Compares what all migrations make with what the sources of `root` make. */
export async function compareWithSources(server: HostedServer, root = '.'): Promise<Difference> {
  const released = await makeDatabase(server, async (run) => {
    for (const { text } of readMigrations(root)) await run(`begin; ${text}; commit`)
  })
  const sources = await makeDatabase(server, (run) => buildFromSources(run, readSources(root)))
  return compareDatabases(server, released, sources)
}

/** Compares two databases of a server. */
export async function compareDatabases(
  server: HostedServer,
  before: string,
  after: string,
): Promise<Difference> {
  return {
    changes: compareSchemas(server, before, after),
    rows: { before: await referenceRows(server, before), after: await referenceRows(server, after) },
  }
}

/** Compares the objects of two databases, not their rows. */
export function compareSchemas(server: HostedServer, before: string, after: string): Change[] {
  const program = join(postgresBinaries(), 'pg_dump')
  const dump = (name: string) => dumpObjects(program, databaseUrl(server, name))
  return changesBetween(dump(before), dump(after))
}

function referenceRows(server: HostedServer, database: string): Promise<ReferenceRows> {
  return connected(server, database, server.superuser, async (client) => {
    const rows: ReferenceRows = new Map()
    for (const table of await filledTables(client, [])) {
      if (/^"?auth"?\./.test(table)) continue
      const answer = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${table} t order by 1`,
      )
      rows.set(
        table,
        answer.rows.map(({ row }) => row),
      )
    }
    return rows
  })
}

async function connected<T>(
  server: ServerAddress,
  database: string,
  user: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(clientConfig(server, database, user))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
