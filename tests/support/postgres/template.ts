import { Client } from 'pg'
import { buildFromSources } from '../../../supabase/release/sources'
import { AUTH_ROLE, migrateAuth } from './auth'
import { clientConfig, databaseUrl, type ServerAddress } from './server'

/** The database that stacks are copies of. */
export const TEMPLATE = 'sobremesa_template'

/** The role that migrates, with what it may do on hosted Supabase. */
export const OWNER_ROLE = 'postgres'

/** PostgREST's login: it has no rights of its own and becomes the role of the request's JWT. */
export const API_ROLE = 'authenticator'

// Hosted limits; PostgREST reads them and applies them to the role it becomes.
const roles = (password: string) => `
  create role anon nologin;
  create role authenticated nologin;
  create role service_role nologin bypassrls;
  alter role anon set statement_timeout = '3s';
  alter role authenticated set statement_timeout = '8s';
  alter role service_role set statement_timeout = '8s';
  create role ${API_ROLE} login noinherit password '${password}';
  grant anon, authenticated, service_role to ${API_ROLE};
  create role ${AUTH_ROLE} login noinherit password '${password}';
  alter role ${AUTH_ROLE} set search_path = auth;
  create role ${OWNER_ROLE} login nosuperuser createdb createrole replication bypassrls password '${password}';
  grant anon, authenticated, service_role to ${OWNER_ROLE};
  grant set on parameter pgrst.db_pre_request, session_replication_role to ${OWNER_ROLE};
`

// Up to 15 who may create roles may change any role but a superuser; later only those that it administers.
const SINCE_16 = `
  grant anon, authenticated, service_role, ${API_ROLE} to ${OWNER_ROLE} with admin option;
`

const beforeAuth = `
  revoke create on schema public from public;
  alter schema public owner to ${OWNER_ROLE};
  grant usage on schema public to anon, authenticated, service_role;
  alter default privileges for role ${OWNER_ROLE} in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role ${OWNER_ROLE} in schema public grant all on sequences to anon, authenticated, service_role;
  alter default privileges for role ${OWNER_ROLE} in schema public grant all on functions to anon, authenticated, service_role;
  create schema extensions authorization ${OWNER_ROLE};
  create schema auth;
  grant all on schema auth to ${AUTH_ROLE};
  grant usage on schema auth to ${OWNER_ROLE}, anon, authenticated, service_role;
  alter default privileges for role ${AUTH_ROLE} in schema auth grant all on tables to ${OWNER_ROLE};
  alter default privileges for role ${AUTH_ROLE} in schema auth grant all on sequences to ${OWNER_ROLE};
  alter default privileges for role ${AUTH_ROLE} in schema auth grant all on functions to ${OWNER_ROLE};
`

// The record of Auth's migrations is for reading.
const afterAuth = `
  revoke insert, update, delete, truncate, references, trigger on auth.schema_migrations from ${OWNER_ROLE};
`

/**
 * Makes the roles and the template: what hosted Supabase has, then ours as the owner. From its sources, so that a test sees
 * an edit that no migration has yet; tests/upgrade compares the two.
 */
export async function createTemplate(address: ServerAddress, authBinary: string): Promise<void> {
  await createRoles(address)
  await createHostedDatabase(address, authBinary, TEMPLATE)
  await withClient(clientConfig(address, TEMPLATE, OWNER_ROLE), (client) =>
    buildFromSources((sql) => client.query(sql)),
  )
}

/** Makes the roles of hosted Supabase, once for a server. */
export async function createRoles(address: ServerAddress): Promise<void> {
  await withClient(clientConfig(address, 'postgres'), async (client) => {
    await client.query(roles(address.password))
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    if ((rows[0]?.version ?? 0) >= 160_000) await client.query(SINCE_16)
  })
}

/** Makes a database as a new project has it: Auth's tables, and nothing of ours. */
export async function createHostedDatabase(
  address: ServerAddress,
  authBinary: string,
  database: string,
): Promise<void> {
  await withClient(clientConfig(address, 'postgres'), async (client) => {
    await client.query(`create database ${database}`)
    await client.query(`grant create on database ${database} to ${OWNER_ROLE}, ${AUTH_ROLE}`)
  })
  await withClient(clientConfig(address, database), (client) => client.query(beforeAuth))
  await migrateAuth(authBinary, databaseUrl(address, database, AUTH_ROLE))
  await withClient(clientConfig(address, database, AUTH_ROLE), (client) => client.query(afterAuth))
}

/** Runs statements on the template as the superuser, before it is copied. */
export async function changeTemplate(address: ServerAddress, statements: string[]): Promise<void> {
  await withClient(clientConfig(address, TEMPLATE), async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

async function withClient<T>(
  config: ReturnType<typeof clientConfig>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
