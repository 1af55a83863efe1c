import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import { generateKeys } from '../../../supabase/local/keys'
import { AUTH_ROLE, openAuth } from './auth'
import { clientConfig, type ServerAddress } from './server'

/** The migrated database that stacks are copies of. */
export const TEMPLATE = 'sobremesa_template'

/** The role that migrates: what a project's `postgres` may do on hosted Supabase. */
export const OWNER_ROLE = 'owner'

/** PostgREST's login: it has no rights of its own and becomes the role of the request's JWT. */
export const API_ROLE = 'authenticator'

const MIGRATIONS = new URL('../../../supabase/migrations/', import.meta.url)

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
  create role ${OWNER_ROLE} login createrole bypassrls nosuperuser password '${password}';
`

const beforeAuth = `
  revoke create on schema public from public;
  alter schema public owner to ${OWNER_ROLE};
  grant usage on schema public to anon, authenticated, service_role;
  create schema extensions authorization ${OWNER_ROLE};
  create schema auth authorization ${AUTH_ROLE};
`

// Lite's functions read the claims it sets itself; these read PostgREST's too, as hosted Supabase's do.
const afterAuth = `
  create or replace function auth.uid() returns uuid language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;
  create or replace function auth.role() returns text language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  $$;
  create or replace function auth.email() returns text language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim.email', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  $$;
  create or replace function auth.jwt() returns jsonb language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim', true), ''),
      nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
  $$;
  create table auth.mfa_factors (
    id uuid primary key, user_id uuid not null references auth.users on delete cascade, status text not null);
  grant usage on schema auth to anon, authenticated, service_role, ${OWNER_ROLE};
  grant select, references, trigger on auth.users to ${OWNER_ROLE};
  grant select on auth.sessions, auth.mfa_factors to ${OWNER_ROLE};
`

/** Makes the roles and the template: what hosted Supabase has, then the migrations as the owner. */
export async function createTemplate(address: ServerAddress): Promise<void> {
  await withClient(clientConfig(address, 'postgres'), async (client) => {
    await client.query(roles(address.password))
    await client.query(`create database ${TEMPLATE}`)
    await client.query(`grant create on database ${TEMPLATE} to ${OWNER_ROLE}, ${AUTH_ROLE}`)
  })
  await withClient(clientConfig(address, TEMPLATE), (client) => client.query(beforeAuth))
  const auth = await openAuth(address, TEMPLATE, await generateKeys())
  try {
    await auth.createSchema()
  } finally {
    await auth.close()
  }
  await withClient(clientConfig(address, TEMPLATE), (client) => client.query(afterAuth))
  await withClient(clientConfig(address, TEMPLATE, OWNER_ROLE), migrate)
}

async function migrate(client: Client): Promise<void> {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  for (const file of files.sort()) {
    try {
      await client.query('begin')
      await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
      await client.query('commit')
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
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
