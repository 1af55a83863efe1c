import { readFile } from 'node:fs/promises'
import { type EmbeddedDatabase, openDatabase } from '../../supabase/local/embedded'
import { type Baseline, type Database, emptyDatabase, readBaseline } from './postgres/emptying'

interface Kept {
  database: EmbeddedDatabase
  baseline: Baseline
  isLent: boolean
}

// Modules are reset between the files of a worker; its process stays.
const worker = globalThis as { keptDatabase?: Kept }

/** A database of the embedded engine, empty as after the migrations, and how to give it back. */
export interface LentDatabase {
  database: EmbeddedDatabase
  giveBack: () => Promise<void>
}

/**
 * Lends the worker's embedded database to a test file: to open one from the snapshot costs a file most of its set-up. A
 * second one of the same file is one of its own. What changes the schema costs the worker a new database.
 */
export async function lendWorkerDatabase(snapshot: string): Promise<LentDatabase> {
  const open = async () => openDatabase({ snapshot: new Blob([await readFile(snapshot)]) })
  if (worker.keptDatabase?.isLent) {
    const database = await open()
    return { database, giveBack: () => database.close() }
  }
  if (!worker.keptDatabase) {
    const database = await open()
    worker.keptDatabase = { database, baseline: await readBaseline(queries(database)), isLent: false }
  }
  const kept = worker.keptDatabase
  kept.isLent = true
  const giveBack = async () => {
    const isUsable = await emptyDatabase(queries(kept.database), kept.baseline).catch(() => false)
    kept.isLent = false
    if (isUsable) return
    worker.keptDatabase = undefined
    await kept.database.close()
  }
  return { database: kept.database, giveBack }
}

/** Several statements go without parameters, as with `pg`. */
function queries({ driver }: EmbeddedDatabase): Database {
  return {
    query: async <Row>(text: string, values?: unknown[]) =>
      values
        ? driver.query<Row>(text, values)
        : { rows: ((await driver.exec(text)).at(-1)?.rows ?? []) as Row[] },
  }
}
