import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { LocalKeys } from '../../../supabase/local/keys'
import type { Stack } from '../stack'
import { openAuth } from './auth'
import type { ClusterConnection } from './cluster'
import { startGateway } from './gateway'
import { startPostgRest } from './postgrest'
import { clientConfig, databaseUrl } from './server'
import { API_ROLE, OWNER_ROLE } from './template'
import { getTypeParser } from './values'

type Closer = () => Promise<unknown>

/**
 * A Supabase on a database of its own: a copy of the cluster's template, PostgREST, auth and the gateway.
 * `sql` works as the superuser on one connection and gives values as the embedded stack does: int8 as a
 * number (a bigint beyond 2^53), numeric as a number when that prints the same (2.5) and as text otherwise
 * (2.50), dates and times as Postgres' text, json parsed. A JavaScript array is a Postgres array here; for a
 * jsonb parameter pass it as JSON text.
 */
export async function startPostgresStack(connection: ClusterConnection, keys: LocalKeys): Promise<Stack> {
  const database = `sobremesa_${randomBytes(6).toString('hex')}`
  const closers: Closer[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    await asSuperuser(connection, [
      `create database ${database} template ${connection.template}`,
      // A copy does not take over rights on the database itself.
      `grant create on database ${database} to ${OWNER_ROLE}`,
    ])
    closers.push(() => asSuperuser(connection, [`drop database if exists ${database} with (force)`]))
    const client = new Client({ ...clientConfig(connection, database), types: { getTypeParser } })
    // The connection may be cut by a test that plays an outage; its next query says so.
    client.on('error', () => {})
    await client.connect()
    closers.push(() => client.end())
    const auth = await openAuth(connection, database, keys)
    closers.push(auth.close)
    const postgrest = await startPostgRest(databaseUrl(connection, database, API_ROLE), keys.jwtSecret)
    closers.push(postgrest.stop)
    const gateway = await startGateway({ keys, postgrestPort: postgrest.port, auth: auth.fetch })
    closers.push(gateway.close)
    let closed: Promise<void> | undefined
    return {
      url: gateway.url,
      keys,
      sql: async <Row>(query: string, parameters: unknown[] = []) =>
        (await client.query(query, parameters)).rows as Row[],
      close: () => {
        closed ??= closeAll()
        return closed
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function asSuperuser(connection: ClusterConnection, statements: string[]): Promise<void> {
  const client = new Client(clientConfig(connection, 'postgres'))
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
