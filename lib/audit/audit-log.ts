import 'server-only'
import type { Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload } from '@/lib/csv/download'
import { unwrap } from '@/lib/db/errors'
import { parseRows } from '@/lib/db/rows'
import { pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import type { AuditFilters } from './filters'
import { auditLineSchema, type NamedLine, namedLineSchema } from './schema'

type Page = AuditFilters & { cursor?: string; limit: number }

/**
 * A keyset page of the lines that the caller may read, the latest first, each with its record's name at the time.
 * @throws HttpError 400 for an invalid cursor.
 */
export async function queryAuditLog(
  { db }: Pick<Session, 'db'>,
  { cursor, limit, ...filters }: Page,
): Promise<{ data: NamedLine[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const found = await db.rpc('list_audit_log', {
    p_filters: filters,
    p_before: after?.key,
    p_before_id: after?.id,
    p_limit: limit + 1,
  })
  const rows = unwrap(found) ?? []
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.at, last.id))
  return { ...page, data: parseRows(namedLineSchema, page.data) }
}

/** A page of lines without the records' names but for the types of integrations: the body of GET /api/audit-log. */
export async function listAuditLog(session: Pick<Session, 'db'>, page: Page) {
  const { data, next_cursor } = await queryAuditLog(session, page)
  const lines = data.map(({ subject, ...line }) =>
    auditLineSchema.parse(
      line.subject_type === 'integration' && subject !== null ? { ...line, subject } : line,
    ),
  )
  return { data: lines, next_cursor }
}

const CHUNK = 1000
const HEADERS = {
  es: ['Fecha', 'Quién', 'Acción', 'Tipo', 'Identificador', 'Nombre', 'Antes', 'Después'],
  en: ['At', 'Actor', 'Action', 'Subject type', 'Subject id', 'Subject', 'Before', 'After'],
}

/**
 * The audit log as a CSV download, read and sent chunk by chunk as the client takes it; the export is logged first.
 * @throws HttpError 403 without access to the settings.
 */
export async function exportAuditLog(
  session: Pick<Session, 'db'>,
  { language, ...filters }: AuditFilters & { language: 'es' | 'en' },
): Promise<Response> {
  if (!unwrap(await session.db.rpc('log_action', { p_action: 'audit_log.exported' })))
    throw new HttpError('FORBIDDEN')
  return csvDownload({
    fileName: `audit-log-${new Date().toISOString().slice(0, 10)}.csv`,
    separator: SEPARATORS[language],
    header: HEADERS[language],
    page: (cursor?: string) => queryAuditLog(session, { ...filters, cursor, limit: CHUNK }),
    row: cellsOf,
  })
}

const cellsOf = ({ at, actor, action, subject_type, subject_id, subject, before, after }: NamedLine) => [
  at,
  actor,
  action,
  subject_type,
  subject_id,
  subject ?? '',
  before ? JSON.stringify(before) : '',
  after ? JSON.stringify(after) : '',
]
