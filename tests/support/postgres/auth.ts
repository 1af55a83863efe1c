import { App } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import { appOptions } from '../../../supabase/local/app-options'
import type { LocalKeys } from '../../../supabase/local/keys'
import { databaseUrl, type ServerAddress } from './server'

/** GoTrue's part of a Supabase: `/auth/v1` over a database. */
export interface Auth {
  fetch: (request: Request) => Promise<Response>
  /** Makes the schema `auth`; once for the template. */
  createSchema: () => Promise<void>
  close: () => Promise<void>
}

/** The role auth works as: it owns `auth` and is no superuser, like on hosted Supabase. */
export const AUTH_ROLE = 'supabase_auth_admin'

/**
 * Opens `@supabase/lite` on a database, for auth only: its RPC handling of jsonb on this driver is not
 * PostgREST's. Its user JWTs are HS256 with `keys.jwtSecret` and carry sub, role `authenticated` and
 * email, so PostgREST verifies them with the same secret.
 */
export async function openAuth(address: ServerAddress, database: string, keys: LocalKeys): Promise<Auth> {
  process.env.DO_NOT_TRACK = '1'
  const connection = createPostgresConnection({
    url: databaseUrl(address, database, AUTH_ROLE),
    postgresOptions: {
      max: 4,
      onnotice: () => {},
      types: { jsonb: JSONB },
    },
  })
  const app = new App(appOptions(connection, keys))
  await app.init()
  return {
    fetch: async (request) => app.fetch(request, { peerAddress: null }),
    createSchema: () => app.ensureSystemSchema(),
    close: () => connection.close(),
  }
}

// Lite hands over JSON that is text already; its own serializer would quote it once more.
const JSONB = {
  to: 3802,
  from: [3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (value: string) => JSON.parse(value) as unknown,
}
