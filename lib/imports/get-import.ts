import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { IMPORT_COLUMNS, type ImportDetail, importDetailSchema } from './schema'
import { tidyImports } from './tidy-imports'

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
  if (!run) throw new HttpError(404, { error: 'Not found' })
  return importDetailSchema.parse(run)
}
