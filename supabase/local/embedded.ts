import { fuzzystrmatch } from '@electric-sql/pglite/contrib/fuzzystrmatch'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { App } from '@supabase/lite'
import { applyPendingMigrations } from '@supabase/lite/cli'
import { createPgliteConnection, type PGlite } from '@supabase/lite/pglite'
import { buildFromSources, runSources, type Source } from '../release/sources'
import { appOptions, type LocalMail } from './app-options'
import { gateway } from './gateway'
import type { LocalKeys } from './keys'
import { localStorage } from './storage'

// Objects that hosted Supabase has before the first migration, but lite does not create.
const PLATFORM = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'anon') then create role anon nologin; end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then create role authenticated nologin; end if;
    if not exists (select from pg_roles where rolname = 'service_role') then create role service_role nologin bypassrls; end if;
  end $$;
  create schema if not exists extensions;
  create table if not exists auth.mfa_factors (
    id uuid primary key, user_id uuid not null references auth.users on delete cascade, status text not null);
  grant usage on schema public, auth to anon, authenticated, service_role;
`

/** lite prints failed queries whole; guests' data among the parameters must not end up in a log. */
function hideParameters(driver: Pick<PGlite, 'query'>): void {
  const query = driver.query.bind(driver)
  driver.query = <Row>(...call: Parameters<PGlite['query']>) =>
    query<Row>(...call).catch((error: object) => {
      for (const name of ['params', 'detail', 'query'])
        Object.defineProperty(error, name, { enumerable: false })
      throw error
    })
}

/** A running embedded Supabase: PostgREST- and GoTrue-compatible `fetch`, and raw SQL for tests. */
export interface EmbeddedStack {
  fetch: (request: Request, peerAddress?: string | null) => Promise<Response>
  sql: <Row = Record<string, unknown>>(query: string, parameters?: unknown[]) => Promise<Row[]>
  dump: () => Promise<Blob>
  close: () => Promise<void>
}

/** An open database of the engine. */
export type EmbeddedDatabase = Awaited<ReturnType<typeof createPgliteConnection>>

/**
 * Where the data lives: a directory (with `files` beside it, and the files of `logic` to run once it is migrated), memory
 * (optionally filled from a `dump()`), or a database that is open already, and closed by whoever opened it.
 */
export type EmbeddedStorage =
  | { directory: string; files?: string; logic?: Source[] }
  | { snapshot?: Blob }
  | { database: EmbeddedDatabase }

/** Opens the engine on its storage, without migrating it. */
export async function openDatabase(
  storage: Exclude<EmbeddedStorage, { database: EmbeddedDatabase }>,
): Promise<EmbeddedDatabase> {
  const inDirectory = 'directory' in storage
  const snapshot = inDirectory ? undefined : storage.snapshot
  const connection = await createPgliteConnection({
    url: inDirectory ? storage.directory : 'memory://',
    pgliteOptions: {
      extensions: { fuzzystrmatch, pg_trgm, unaccent },
      ...(snapshot ? { loadDataDir: snapshot } : {}),
    },
  })
  // On its first request lite would grant ALL on every table to anon and authenticated; hosted Supabase does
  // not. The migrations set all grants, so tell lite that its own grants are already done.
  ;(connection as unknown as { rlsState: string }).rlsState = 'active'
  hideParameters(connection.driver)
  return connection
}

/**
 * Starts `@supabase/lite` on PGlite. A directory gets the migrations of `supabase/migrations` that it lacks, as a deployment
 * does; a database in memory is made from the sources. Admin mode is off: keyless requests are refused.
 * @throws when a migration or a source fails, with Postgres' message.
 */
export async function startEmbedded(
  storage: EmbeddedStorage,
  keys: LocalKeys,
  mail?: LocalMail,
): Promise<EmbeddedStack> {
  process.env.DO_NOT_TRACK = '1'
  const isOpen = 'database' in storage
  const connection = isOpen ? storage.database : await openDatabase(storage)
  const app = new App(appOptions(connection, keys, mail)) as App
  await app.init()
  if (!isOpen && !('snapshot' in storage && storage.snapshot)) {
    await app.ensureSystemSchema()
    await connection.driver.exec(PLATFORM)
    const run = (sql: string) => connection.driver.exec(sql)
    if ('directory' in storage) {
      await applyPendingMigrations(app)
      await runSources(run, storage.logic ?? [])
    } else await buildFromSources(run)
  }
  const stored = localStorage(keys.secretKey, 'directory' in storage ? storage.files : undefined)
  const api = gateway(async (request, peerAddress) => app.fetch(request, { peerAddress }), keys)
  return {
    fetch: async (request, peerAddress = null) => (await stored(request)) ?? api(request, peerAddress),
    sql: async <Row>(query: string, parameters: unknown[] = []) =>
      (await connection.driver.query<Row>(query, parameters)).rows,
    dump: () => connection.driver.dumpDataDir('none') as Promise<Blob>,
    close: async () => {
      if (!isOpen) await connection.close()
    },
  }
}
