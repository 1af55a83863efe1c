// `npm run db:release -- add_postal_code` writes the next file of supabase/migrations from what changed in supabase/schema
// and supabase/logic. `npm run db:release -- 0.2.0` ends a release: from then on its migrations are not edited, and
// tests/upgrade brings its demo's data to every later version. Both need Postgres 15 on the machine.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { nextMigration } from '../supabase/release/migration'
import { readMigrations } from '../supabase/release/migrations'
import { addRelease, readReleases } from '../supabase/release/releases'
import { readSources } from '../supabase/release/sources'
import { authBinary } from '../tests/support/postgres/auth-binary'
import { compareWithSources } from '../tests/support/postgres/compare'
import { startServer } from '../tests/support/postgres/server'
import { createRoles } from '../tests/support/postgres/template'
import { recordData } from '../tests/upgrade/data'

// Where the schema's number stands: what the database says of itself, and what the build asks for.
const NUMBERED = ['supabase/logic/jobs/installation.sql', 'lib/health/schema-version.ts']
const NUMBER = /\b20\d{12}\b/

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
  const number = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const migrations = readMigrations()
  const last = basename(migrations.at(-1)?.path ?? '')
  if (number <= last) throw new Error(`This computer's clock is behind the last migration, ${last}.`)
  const given = { number, migrations, ...(await differences()) }
  if (!nextMigration({ ...given, sources: readSources() })) return undefined
  for (const file of NUMBERED) writeFileSync(file, readFileSync(file, 'utf8').replace(NUMBER, number))
  const path = `supabase/migrations/${number}_${name}.sql`
  writeFileSync(path, nextMigration({ ...given, sources: readSources() }) ?? '')
  return path
}

async function release(version: string): Promise<void> {
  if (readReleases()[version]) throw new Error(`${version} is released already.`)
  if (execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '')
    throw new Error('Commit first: the data that is recorded is that of a commit.')
  const own = JSON.parse(readFileSync('package.json', 'utf8')).version
  if (own !== version) throw new Error(`package.json is at ${own}: set its version to ${version} first.`)
  const migrations = readMigrations()
  if (nextMigration({ number: '', migrations, sources: readSources(), ...(await differences()) }))
    throw new Error('The sources have changes that no migration has: npm run db:release -- <what_changed>')
  await recordData(version)
  addRelease(version, migrations)
}

const [name = ''] = process.argv.slice(2)
if (/^\d+\.\d+\.\d+$/.test(name)) {
  await release(name)
  console.log(
    `Released ${name}: commit supabase/release/releases.json and tests/upgrade/data/${name}.sql.gz.`,
  )
} else if (/^[a-z][a-z0-9_]{2,60}$/.test(name)) {
  const path = await writeNext(name)
  console.log(
    path
      ? `Wrote ${path}. Read and edit its part about tables. Then: STACK=postgres npx vitest run tests/upgrade`
      : 'The migrations make what the sources make: nothing to write.',
  )
} else {
  console.error(
    'Name the migration (npm run db:release -- add_postal_code) or the release (npm run db:release -- 0.2.0).',
  )
  process.exit(1)
}
