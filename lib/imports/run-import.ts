import 'server-only'
import { log } from '@/lib/log'
import { groupRows } from './group-rows'
import type { ImportRow } from './parse-row'
import { MAX_ROWS, type ParsedFile, type RowError } from './read-csv'
import type { ImportEvent } from './schema'
import { closeImport, findLinks, type ImportTarget, openImport, saveRows } from './store'
import { tidyImports } from './tidy-imports'

// A chunk is one transaction and one statement: well under the 8 s that hosted Supabase allows it.
const CHUNK_ROWS = 1000
// Enough to find a dozen rows that the database refuses; it is not asked row by row.
const HALVING_CALLS = 160

const format = ({ line, message }: RowError) => `Row ${line}: ${message}`

/**
 * Imports a file that has been read, chunk by chunk, and tells of it as it goes: `started`, `progress` after
 * each chunk, `done`. It goes on only as its reader asks for more; between two chunks it stops when somebody
 * has cancelled it, when `signal` says that the client is gone, or when the reader leaves. What is saved by
 * then stays, the log says cancelled, and an error line tells from which row on nothing was imported.
 * @throws DatabaseError; the log says failed then, and what is saved stays.
 */
export async function* runImport(
  target: ImportTarget,
  file: ParsedFile,
  signal: AbortSignal,
): AsyncGenerator<ImportEvent, void> {
  const lines = file.errors.map(format)
  const failedRows = Math.min(file.total, MAX_ROWS) - file.rows.length
  await tidyImports(target.organizationId, new Date())
  const links = await findLinks(target.organizationId, file.rows)
  const id = await openImport(target, file, failedRows, lines, new Date())
  let waiting = groupRows(file.rows, links, CHUNK_ROWS)
  let imported = 0
  let refused = 0
  const budget = { calls: HALVING_CALLS }
  let open = true
  const close = async (status: 'succeeded' | 'partial' | 'failed' | 'cancelled', broken = false) => {
    open = false
    if (status === 'cancelled') lines.push(format(stopLine(waiting.flat())))
    await closeImport(id, status, lines, broken ? null : failedRows + imported + refused, new Date())
  }
  try {
    yield { type: 'started', import_id: id }
    for (const chunk of waiting) {
      const bad = signal.aborted ? null : await saveRows(id, chunk, budget)
      if (!bad) break
      waiting = waiting.slice(1)
      imported += chunk.length - bad.length
      refused += bad.length
      lines.push(...bad.map(format))
      yield { type: 'progress', processed: failedRows + imported + refused, imported, errors: lines.length }
    }
    if (waiting.length > 0) await close('cancelled')
    else await close(lines.length === 0 ? 'succeeded' : imported > 0 ? 'partial' : 'failed')
    yield { type: 'done', total: file.total, imported, errors: lines }
  } catch (error) {
    if (open) await close('failed', true).catch((err) => log().error({ err }, 'import not closed'))
    throw error
  } finally {
    // The reader left in the middle.
    if (open) await close('cancelled')
  }
}

function stopLine(rows: readonly ImportRow[]): RowError {
  const first = rows.reduce((lowest, { line }) => Math.min(lowest, line), Number.POSITIVE_INFINITY)
  const count = rows.length.toLocaleString('en')
  return {
    line: Number.isFinite(first) ? first : MAX_ROWS + 1,
    message: `the import was cancelled here; ${count} rows were not imported`,
  }
}
