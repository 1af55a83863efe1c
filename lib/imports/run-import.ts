import 'server-only'
import { compareSoon } from '@/lib/identity/score'
import { log } from '@/lib/log'
import { tidyImports } from './import-log'
import type { ImportRow } from './parse-row'
import { MAX_ROWS, type ParsedFile, type RowError } from './read-csv'
import { sentence } from './reasons'
import type { ImportEvent } from './schema'
import { closeImport, findLinks, type ImportTarget, type Link, openImport, saveRows } from './store'

// A chunk is one transaction and one statement: well under the 8 s limit of hosted Supabase.
const CHUNK_ROWS = 1000
// From this number of new customers on, learning the weights again may help.
const MANY = 200
// Enough to isolate a dozen rows that the database refuses.
const HALVING_CALLS = 160

const format = ({ line, message }: RowError) => `Row ${line}: ${message}`

/**
 * Imports a file that has been read, chunk by chunk, and yields its events: `started`, `progress` after each
 * chunk, `done`. It works only while its caller reads events. Between two chunks it stops when the import was
 * cancelled, the client disconnected (`signal`) or the caller stopped reading. Saved rows stay, the log's status is
 * cancelled, and an error line names the first row that was not imported.
 * @throws DatabaseError; the log's status is then failed, and saved rows stay.
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
    // The caller stopped reading in the middle.
    if (open) await close('cancelled')
    if (imported > 0) compareSoon(target.organizationId, { learn: imported >= MANY })
  }
}

function stopLine(rows: readonly ImportRow[]): RowError {
  const first = rows.reduce((lowest, { line }) => Math.min(lowest, line), Number.POSITIVE_INFINITY)
  return {
    line: Number.isFinite(first) ? first : MAX_ROWS + 1,
    message: sentence('cancelled', { count: rows.length }),
  }
}

/**
 * Cuts rows into chunks of about `size`. Rows that may be one customer (same e-mail, same phone, or linked) stay in one
 * chunk, in order: there the last value wins, but two chunks would overwrite each other at every import. A group larger
 * than `size` is a chunk of its own.
 */
export function groupRows(rows: readonly ImportRow[], links: readonly Link[], size: number): ImportRow[][] {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) {
      parents.set(root, parents.get(next) ?? next)
      root = next
    }
    return root
  }
  const join = (one: string | undefined, other: string | undefined) => {
    if (one && other) parents.set(rootOf(one), rootOf(other))
  }
  for (const { email, phone } of rows) join(email, phone)
  for (const link of links) for (const address of link) join(link[0], address)

  const chunks: ImportRow[][] = []
  let chunk: ImportRow[] = []
  for (const group of Map.groupBy(rows, ({ email, phone }) => rootOf(email ?? phone ?? '')).values()) {
    if (chunk.length > 0 && chunk.length + group.length > size) {
      chunks.push(chunk)
      chunk = []
    }
    chunk.push(...group)
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks
}
