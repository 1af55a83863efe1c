import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { AUTOMATION_COLUMNS, type Automation, automationSchema } from './schema'

/**
 * An automation by id.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getAutomation({ db }: Pick<Session, 'db'>, id: string): Promise<Automation> {
  const found = unwrap(await db.from('automations').select(AUTOMATION_COLUMNS).eq('id', id).maybeSingle())
  if (!found) throw new HttpError(404, { error: 'Not found' })
  return automationSchema.parse(found)
}
