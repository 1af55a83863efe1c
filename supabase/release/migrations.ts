import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from './sources'

/** The migrations, in the order in which a deployment runs them. */
export function readMigrations(root = '.'): Source[] {
  return globSync('supabase/migrations/*.sql', { cwd: root })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** A source as a migration holds it: whole, between two marks, so that the next release finds what this one had. */
export function section({ path, text }: Source): string {
  return `${begin(path)}\n${text.trimEnd()}\n${end(path)}\n`
}

/** Those of the files whose text is not what the migrations made of them last. */
export function unreleased(files: Source[], migrations: Source[]): Source[] {
  return files.filter((file) => {
    const last = migrations.findLast(({ text }) => text.includes(`\n${begin(file.path)}\n`))
    return !last?.text.includes(`\n${section(file)}`)
  })
}

const begin = (path: string) => `-- >> ${path}`
const end = (path: string) => `-- << ${path}`
