import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Beside the files it names, without `.sql`: a file refers to those before it.
const ORDER = 'supabase/schema/order.json'

/** A file of SQL. */
export interface Source {
  /** From the root of the repository, with slashes. */
  path: string
  text: string
}

/** What the database is (`schema`: tables and policies) and what it does (`logic`: functions and triggers). */
export interface Sources {
  schema: Source[]
  logic: Source[]
}

/**
 * Reads the sources of the database, in the order in which they run.
 * @param root the repository.
 * @throws when `order.json` names a file that is not there, or lacks one that is.
 */
export function readSources(root = '.'): Sources {
  const read = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') })
  const files = globSync('supabase/schema/*.sql', { cwd: root })
  const order: string[] = JSON.parse(readFileSync(join(root, ORDER), 'utf8'))
  const listed = order.map((name) => `supabase/schema/${name}.sql`)
  const odd = files
    .filter((file) => !listed.includes(file))
    .concat(listed.filter((file) => !files.includes(file)))
  if (odd.length > 0) throw new Error(`Not both in supabase/schema and in its order.json: ${odd.join(', ')}`)
  return {
    schema: listed.map(read),
    // Bodies are not checked while the functions are made, so their order does not matter.
    logic: globSync('supabase/logic/*/*.sql', { cwd: root }).sort().map(read),
  }
}

/** Makes the database from its sources, in one transaction. `run` takes a text of several statements. */
export async function buildFromSources(
  run: (sql: string) => Promise<unknown>,
  { schema, logic }: Sources = readSources(),
): Promise<void> {
  await runSources(run, [...schema, ...logic])
}

/** Runs files in one transaction. @throws with the file's path before Postgres' message. */
export async function runSources(run: (sql: string) => Promise<unknown>, files: Source[]): Promise<void> {
  if (files.length === 0) return
  await run('begin; set local check_function_bodies = off')
  for (const { path, text } of files)
    await run(text).catch((error: unknown) => {
      throw new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error })
    })
  await run('commit')
}
