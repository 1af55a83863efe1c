import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrations, unreleased } from '../release/migrations'
import { readSources, type Source } from '../release/sources'

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/**
 * Compares the migrations with those that the database in `<dataDir>/db` was made with: each is applied once, so a
 * later edit of its file does nothing there.
 * @returns the files that were edited or removed since, and `remember`, to call once the migrations are applied.
 */
export function compareMigrations(
  dataDir: string,
  folder = 'supabase/migrations',
): { changed: string[]; remember: () => void } {
  const file = join(dataDir, 'migrations.json')
  const hashes: Record<string, string> = {}
  for (const name of globSync('*.sql', { cwd: folder }).sort())
    hashes[name] = hashOf(readFileSync(join(folder, name)))
  const applied = known(dataDir, file)
  return {
    changed: Object.keys(applied).filter((name) => applied[name] !== hashes[name]),
    // An edited file keeps the hash it was applied with, so that every start prints the warning.
    remember: () => writeFileSync(file, JSON.stringify({ ...hashes, ...applied }, null, 2)),
  }
}

/**
 * The files of `supabase/logic` that the database in `<dataDir>/db` does not have as they are, so that an edited function
 * needs no migration to be tried: edited since the last start, or before the first one and after the last release.
 * @returns the files to run, and `remember`, to call once they ran.
 */
export function editedLogic(dataDir: string, root = '.'): { edited: Source[]; remember: () => void } {
  const file = join(dataDir, 'logic.json')
  const { logic } = readSources(root)
  const ran = known(dataDir, file)
  const isNew = new Set(unreleased(logic, readMigrations(root)))
  return {
    edited: logic.filter((source) => {
      const last = ran[source.path]
      return last ? last !== hashOf(source.text) : isNew.has(source)
    }),
    remember: () => {
      const hashes = Object.fromEntries(logic.map(({ path, text }) => [path, hashOf(text)]))
      writeFileSync(file, JSON.stringify(hashes, null, 2))
    },
  }
}

/** What the file says, if the database that it is about is still there. */
function known(dataDir: string, file: string): Record<string, string> {
  return existsSync(join(dataDir, 'db')) && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
