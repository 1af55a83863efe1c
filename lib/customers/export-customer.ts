import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { customerExportSchema } from './export-schema'

/**
 * A download of everything held about a person (GDPR art. 15 and 20) in the caller's locations: reservations, messages, opt-outs and what staff did to the record. One consistent snapshot, logged.
 * @throws HttpError 404 when it is not there or not visible.
 */
export async function exportCustomer({ db }: Pick<Session, 'db'>, id: string): Promise<Response> {
  const held = unwrap(await db.rpc('export_customer', { p_id: id }))
  if (!held) throw new HttpError(404, { error: 'Not found' })
  const disposition = `attachment; filename="customer-${id.toLowerCase()}.json"`
  return Response.json(customerExportSchema.parse(held), { headers: { 'Content-Disposition': disposition } })
}
