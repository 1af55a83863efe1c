import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { csvLine } from '@/lib/csv/cells'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { IMPORT_COLUMNS, type ImportDetail, importDetailSchema } from './schema'
import { tidyImports } from './tidy-imports'

const failedSchema = z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) })
const BYTE_ORDER_MARK = '\ufeff'

/**
 * An import with its error lines.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getImport(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
): Promise<ImportDetail> {
  await tidyImports(organization.id, new Date())
  const found = await db.from('import_runs').select(`${IMPORT_COLUMNS}, errors`).eq('id', id).maybeSingle()
  const run = unwrap(found)
  if (!run) throw notFound()
  return importDetailSchema.parse(run)
}

/**
 * The rows of an import that failed, as a CSV download: the columns of the file and `motivo`, the reason.
 * @throws HttpError 404 when there is no such import, no row of it failed, or they are no longer kept.
 */
export async function downloadFailedRows(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
): Promise<Response> {
  await tidyImports(organization.id, new Date())
  const run = unwrap(await db.from('import_runs').select('failed_rows').eq('id', id).maybeSingle())
  if (!run?.failed_rows) throw notFound()
  const { columns, rows } = failedSchema.parse(run.failed_rows)
  // Spreadsheets take a file without the mark for Windows-1252.
  const text = BYTE_ORDER_MARK + [[...columns, 'motivo'], ...rows].map(csvLine).join('')
  return new Response(text, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="failed-rows-${id}.csv"`,
    },
  })
}

const notFound = () => new HttpError(404, { error: 'Not found' })
