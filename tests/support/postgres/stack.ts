import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { LocalKeys } from '../../../supabase/local/keys'
import { startFakeMailServer } from '../../fakes/mail/server'
import type { Stack } from '../stack'
import { AUTH_ROLE, type AuthOptions, startAuth } from './auth'
import type { ClusterConnection } from './cluster'
import { type Services, startGateway } from './gateway'
import { serveMailTemplates } from './mail-templates'
import { startPostgRest } from './postgrest'
import { clientConfig, databaseUrl } from './server'
import { API_ROLE, OWNER_ROLE } from './template'
import { getTypeParser } from './values'

type Closer = () => Promise<unknown>
type Service = { port: number; stop: () => Promise<void> }

/** A stack whose database and services can be reached behind the gateway as well. */
export interface PostgresStack extends Stack {
  database: string
  services: Services
}

/**
 * A Supabase on a database of its own: a copy of the cluster's template, PostgREST, Supabase Auth and the gateway.
 * `sql` works as the superuser on one connection and gives values as the embedded stack does: int8 as a
 * number (a bigint beyond 2^53), numeric as a number when that prints the same (2.5) and as text otherwise
 * (2.50), dates and times as Postgres' text, json parsed. A JavaScript array is a Postgres array here; for a
 * jsonb parameter pass it as JSON text.
 */
export async function startPostgresStack(
  connection: ClusterConnection,
  keys: LocalKeys,
  authOptions?: AuthOptions,
): Promise<PostgresStack> {
  const database = `sobremesa_${randomBytes(6).toString('hex')}`
  const drop = () => asSuperuser(connection, [`drop database if exists ${database} with (force)`])
  await copyTemplate(connection, database)
  try {
    return await serveDatabase(connection, database, keys, authOptions, drop)
  } catch (error) {
    await drop()
    throw error
  }
}

/** Makes a database of the cluster that is a copy of its template. */
export async function copyTemplate(connection: ClusterConnection, database: string): Promise<void> {
  await asSuperuser(connection, [
    // By files: through the log, the default, it takes twice to six times as long.
    `create database ${database} template ${connection.template} strategy file_copy`,
    // A copy does not take over rights on the database itself.
    `grant create on database ${database} to ${OWNER_ROLE}`,
  ])
}

/** The stack on a migrated database of the cluster, which stays when it closes; `onClosed` is called at the end. */
export async function serveDatabase(
  connection: ClusterConnection,
  database: string,
  keys: LocalKeys,
  authOptions?: AuthOptions,
  onClosed?: Closer,
): Promise<PostgresStack> {
  const closers: Closer[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const client = new Client({ ...clientConfig(connection, database), types: { getTypeParser } })
    // The connection may be cut by a test that plays an outage; its next query says so.
    client.on('error', () => {})
    await client.connect()
    closers.push(() => client.end())
    const mail = await startFakeMailServer()
    closers.push(mail.close)
    const templates = await serveMailTemplates()
    closers.push(templates.close)
    const gateway = await startGateway(keys)
    closers.push(gateway.close)
    const surroundings = {
      binary: connection.authBinary,
      databaseUrl: databaseUrl(connection, database, AUTH_ROLE),
      keys,
      url: gateway.url,
      smtpPort: mail.port,
      templatesUrl: templates.url,
    }
    const [postgrest, auth] = await together(closers, [
      startPostgRest(databaseUrl(connection, database, API_ROLE), keys.jwtSecret),
      startAuth(surroundings, authOptions),
    ])
    const services = { postgrest: postgrest.port, auth: auth.port }
    gateway.connect(services)
    let closing: Promise<void> | undefined
    if (onClosed) closers.unshift(onClosed)
    return {
      kind: 'postgres',
      database,
      services,
      url: gateway.url,
      keys,
      mails: mail.mails,
      sql: async <Row>(query: string, parameters: unknown[] = []) =>
        (await client.query(query, parameters)).rows as Row[],
      close: () => {
        closing ??= closeAll()
        return closing
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Waits for both services; one that is up is kept for closing when the other is not. */
async function together(closers: Closer[], services: [Promise<Service>, Promise<Service>]) {
  for (const outcome of await Promise.allSettled(services))
    if (outcome.status === 'fulfilled') closers.push(outcome.value.stop)
  return Promise.all(services)
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
