import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { parseRow, parseRows } from '@/lib/db/rows'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { checkImages } from './images'
import {
  type EmailTemplate,
  emailTemplateSchema,
  type newTemplateSchema,
  type templateChangesSchema,
} from './records'
import { imagesOfDesign } from './schema'

const COLUMNS = 'id, name, design, created_at, updated_at'
const MAX_TEMPLATES = 200

type Caller = Pick<Session, 'db' | 'organization'>

/** @throws HttpError 404 for a row that cannot be shown at all. */
function shown(row: unknown): EmailTemplate {
  const template = parseRow(emailTemplateSchema, row)
  if (!template) throw new HttpError('NOT_FOUND')
  return template
}

/** The organization's templates, by name; at most 200. */
export async function listTemplates({ db }: Pick<Session, 'db'>): Promise<EmailTemplate[]> {
  const found = await db.from('email_templates').select(COLUMNS).order('name').limit(MAX_TEMPLATES)
  return parseRows(emailTemplateSchema, unwrap(found))
}

/**
 * Keeps a design under a name.
 * @throws HttpError 400 for an image that is not stored, 409 for a 201st template; DatabaseError 23505 for a name in use.
 */
export async function createTemplate(
  session: Caller,
  { name, design }: z.output<typeof newTemplateSchema>,
): Promise<EmailTemplate> {
  await checkImages(session, [{ field: 'design', images: imagesOfDesign(design) }])
  const count = await session.db.from('email_templates').select('id', { count: 'exact', head: true })
  unwrap(count)
  if ((count.count ?? 0) >= MAX_TEMPLATES) throw new HttpError('TOO_MANY_TEMPLATES')
  const row = {
    organization_id: session.organization.id,
    name,
    design: design as unknown as NonNullable<Json>,
  }
  const made = await serviceDb().from('email_templates').insert(row).select(COLUMNS).single()
  return shown(unwrap(made))
}

/**
 * Renames a template, or gives it another design.
 * @throws HttpError 404, 400 for an image that is not stored; DatabaseError 23505 for a name in use.
 */
export async function changeTemplate(
  session: Caller,
  id: string,
  { design, ...changes }: z.output<typeof templateChangesSchema>,
): Promise<EmailTemplate> {
  if (design) await checkImages(session, [{ field: 'design', images: imagesOfDesign(design) }])
  const mine = { id, organization_id: session.organization.id }
  const row = { ...changes, ...(design ? { design: design as unknown as NonNullable<Json> } : {}) }
  const table = serviceDb().from('email_templates')
  const query = Object.keys(row).length === 0 ? table.select(COLUMNS) : table.update(row).select(COLUMNS)
  const found = unwrap(await query.match(mine).maybeSingle())
  if (!found) throw new HttpError('NOT_FOUND')
  return shown(found)
}

/**
 * Deletes a template; e-mails that began with it stay.
 * @throws HttpError 404.
 */
export async function deleteTemplate({ organization }: Caller, id: string): Promise<void> {
  const mine = { id, organization_id: organization.id }
  const gone = unwrap(await serviceDb().from('email_templates').delete().match(mine).select('id'))
  if (gone?.length !== 1) throw new HttpError('NOT_FOUND')
}
