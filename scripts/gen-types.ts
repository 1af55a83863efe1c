// Writes lib/db/database.types.ts from the sources of the database: `npm run gen:types`. With `--check` it only compares
// and exits 1 when the file is stale. Needs Postgres 15 on the machine; neither Docker nor a network.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { readSources } from '../supabase/release/sources'
import { startCluster } from '../tests/support/postgres/cluster'
import { clientConfig, databaseUrl, type ServerAddress } from '../tests/support/postgres/server'
import { OWNER_ROLE } from '../tests/support/postgres/template'
import { withComments } from './function-comments'

const FILE = new URL('../lib/db/database.types.ts', import.meta.url)
const BIN = new URL('../node_modules/.bin/', import.meta.url).pathname

/** The types of the schema `public`, as the Supabase CLI prints them, with the functions' comments; formatted. */
async function generate(): Promise<string> {
  const cluster = await startCluster()
  // The CLI writes to its working directory and the home directory: give it temporary ones.
  const scratch = mkdtempSync(join(tmpdir(), 'sobremesa-types-'))
  try {
    const url = databaseUrl(cluster.connection, cluster.connection.template, OWNER_ROLE)
    const types = execFileSync(
      join(BIN, 'supabase'),
      ['gen', 'types', '--schema', 'public', '--agent', 'no', '--workdir', scratch, `--remote=${url}`],
      {
        encoding: 'utf8',
        // Without PGSSLMODE a notice about TLS precedes the types.
        env: { ...process.env, HOME: scratch, DO_NOT_TRACK: '1', SUPABASE_YES: '1', PGSSLMODE: 'disable' },
        // Its notices matter only when it fails; the error then contains them.
        stdio: 'pipe',
      },
    )
    const formatted = execFileSync(join(BIN, 'biome'), ['format', '--stdin-file-path=lib/db/types.ts'], {
      encoding: 'utf8',
      input: types,
      stdio: 'pipe',
    })
    return withComments(formatted, await functionComments(cluster.connection), readSources().logic)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await cluster.stop()
  }
}

/** What the database says of its functions, by name. */
async function functionComments(
  connection: ServerAddress & { template: string },
): Promise<Map<string, string>> {
  const client = new Client(clientConfig(connection, connection.template, OWNER_ROLE))
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; text: string }>(
      `select p.proname as name, string_agg(d.description, E'\\n' order by p.oid) as text
       from pg_proc p join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass
       where p.pronamespace = 'public'::regnamespace group by p.proname`,
    )
    return new Map(rows.map(({ name, text }) => [name, text]))
  } finally {
    await client.end()
  }
}

const types = await generate()
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, types)
} else if (read() !== types) {
  console.error('lib/db/database.types.ts is stale: run `npm run gen:types` and commit the result.')
  process.exitCode = 1
}

function read(): string | undefined {
  try {
    return readFileSync(FILE, 'utf8')
  } catch {
    return undefined
  }
}
