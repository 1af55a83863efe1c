import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
    hashes[name] = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  const known = existsSync(join(dataDir, 'db')) && existsSync(file)
  const applied: Record<string, string> = known ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return {
    changed: Object.keys(applied).filter((name) => applied[name] !== hashes[name]),
    // An edited file keeps the hash it was applied with, so that every start prints the warning.
    remember: () => writeFileSync(file, JSON.stringify({ ...hashes, ...applied }, null, 2)),
  }
}
