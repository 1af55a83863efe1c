import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startDemo } from '../../scripts/demo/demo-process'
import { freePort } from '../support/free-port'
import { postgresBinaries } from '../support/postgres/server'

const FOLDER = 'tests/upgrade/data'
const SCALE = '0.1'
// What people and jobs make: our schemas, and the accounts that they refer to.
const TABLES = ['public.*', 'private.*', 'auth.users', 'auth.identities']

/** The file with a release's rows. */
export const dataFile = (version: string) => join(FOLDER, `${version}.sql.gz`)

/**
 * Writes the rows of this version's demo, a tenth as large as usual, to `tests/upgrade/data/<version>.sql.gz`. Needs
 * Postgres 15.
 */
export async function recordData(version: string): Promise<void> {
  const [port, supabase, pms] = await Promise.all([freePort(), freePort(), freePort()])
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-data-'))
  const addressFile = join(directory, 'database.url')
  const demo = await startDemo({
    STACK: 'postgres',
    DEMO_SCALE: SCALE,
    DEMO_JOBS: 'once',
    PORT: String(port),
    SUPABASE_PORT: String(supabase),
    PMS_PORT: String(pms),
    DATA_DIR: directory,
    DATABASE_URL_FILE: addressFile,
  })
  try {
    const url = readFileSync(addressFile, 'utf8')
    const rows = execFileSync(
      join(postgresBinaries(), 'pg_dump'),
      ['--data-only', '--disable-triggers', '--no-owner', ...TABLES.map((each) => `--table=${each}`), url],
      { maxBuffer: 1 << 30 },
    )
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(dataFile(version), gzipSync(rows, { level: 9 }))
  } finally {
    await demo.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Puts the rows of a release into a database of that release, in place of those that came with the schema. */
export function loadData(version: string, url: string): void {
  const emptied = `
    do $$ declare t record; begin
      for t in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'private')
      loop execute 'truncate ' || t.name || ' cascade'; end loop;
    end $$;`
  execFileSync(join(postgresBinaries(), 'psql'), ['-qX', '-v', 'ON_ERROR_STOP=1', '-1', url], {
    input: emptied + gunzipSync(readFileSync(dataFile(version))).toString(),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}
