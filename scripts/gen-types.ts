// Writes lib/db/database.types.ts from the migrations: `npm run gen:types`. With `--check` it only compares
// and exits 1 when the file is stale. Needs Postgres 15 on the machine; neither Docker nor a network.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '../tests/support/postgres/cluster'
import { databaseUrl } from '../tests/support/postgres/server'
import { OWNER_ROLE } from '../tests/support/postgres/template'

const FILE = new URL('../lib/db/database.types.ts', import.meta.url)
const BIN = new URL('../node_modules/.bin/', import.meta.url).pathname

/** The types of the schema `public`, as the Supabase CLI prints them, formatted. */
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
    return execFileSync(join(BIN, 'biome'), ['format', '--stdin-file-path=lib/db/types.ts'], {
      encoding: 'utf8',
      input: types,
      stdio: 'pipe',
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await cluster.stop()
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
