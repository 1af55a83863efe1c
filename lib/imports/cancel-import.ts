import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { getImport } from './get-import'
import type { ImportDetail } from './schema'

/**
 * Cancels a running import: it stops before its next chunk, and what it has saved stays.
 * @throws HttpError 404 when there is none that the caller may see, 409 when it is over.
 */
export async function cancelImport(session: Session, id: string): Promise<ImportDetail> {
  const outcome = unwrap(await session.db.rpc('cancel_import', { p_import: id }))
  if (outcome === 'unknown') throw new HttpError(404, { error: 'Not found' })
  if (outcome !== 'cancelled') throw new HttpError(409, { error: 'The import is over' })
  return getImport(session, id)
}
