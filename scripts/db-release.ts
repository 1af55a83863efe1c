// Writes the next file of supabase/migrations from what changed in supabase/schema and supabase/logic:
// `npm run db:release -- add_postal_code`. With `--first` it writes the first one again, until 0.1.0 is released. Needs
// Postgres 15 on the machine.
import { readFileSync, writeFileSync } from 'node:fs'
import { firstMigration, nextMigration } from '../supabase/release/migration'
import { numberOf, readMigrations } from '../supabase/release/migrations'
import { readSources } from '../supabase/release/sources'
import { authBinary } from '../tests/support/postgres/auth-binary'
import { compareWithSources } from '../tests/support/postgres/compare'
import { startServer } from '../tests/support/postgres/server'
import { createRoles } from '../tests/support/postgres/template'

// Where the schema's number stands: what the database says of itself, and what the build asks for.
const NUMBERED = ['supabase/logic/jobs/installation.sql', 'lib/health/schema-version.ts']

async function differences() {
  const binary = await authBinary()
  const server = await startServer()
  try {
    await createRoles(server.address)
    return await compareWithSources({ ...server.address, authBinary: binary })
  } finally {
    await server.stop()
  }
}

/** @returns the path of the new file; undefined when there is nothing to write. */
async function writeNext(name: string): Promise<string | undefined> {
  const migrations = readMigrations()
  const number = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const given = { number, migrations, ...(await differences()) }
  if (!nextMigration({ ...given, sources: readSources() })) return undefined
  const last = migrations.at(-1)
  for (const file of NUMBERED)
    writeFileSync(file, readFileSync(file, 'utf8').replace(last ? numberOf(last) : '', number))
  const path = `supabase/migrations/${number}_${name}.sql`
  writeFileSync(path, nextMigration({ ...given, sources: readSources() }) ?? '')
  return path
}

function writeFirst(): string {
  const [first, ...more] = readMigrations()
  if (!first || more.length > 0) throw new Error('The first migration is released: name the next one.')
  writeFileSync(first.path, firstMigration(readSources()))
  return first.path
}

const [name = ''] = process.argv.slice(2)
if (name !== '--first' && !/^[a-z][a-z0-9_]{2,60}$/.test(name)) {
  console.error('Give the migration a name: npm run db:release -- add_postal_code')
  process.exit(1)
}
const path = name === '--first' ? writeFirst() : await writeNext(name)
console.log(
  path
    ? `Wrote ${path}. Read and edit its part about tables. Then: STACK=postgres npx vitest run tests/upgrade`
    : 'The migrations make what the sources make: nothing to write.',
)
