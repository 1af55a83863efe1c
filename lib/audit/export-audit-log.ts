import 'server-only'
import type { Session } from '@/lib/auth/session'
import { csvLine, SEPARATORS } from '@/lib/csv/cells'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { queryAuditLog } from './list-audit-log'
import type { AuditFilters } from './operations'
import type { NamedLine } from './schema'

const BYTE_ORDER_MARK = '\ufeff'
const CHUNK = 1000
const HEADERS = {
  es: ['Fecha', 'Quién', 'Acción', 'Tipo', 'Identificador', 'Nombre', 'Antes', 'Después'],
  en: ['At', 'Actor', 'Action', 'Subject type', 'Subject id', 'Subject', 'Before', 'After'],
}

/**
 * The audit log as a CSV download, read and sent chunk by chunk as the client takes it; the export is logged first.
 * @throws HttpError 403 for someone who does not see the settings.
 */
export async function exportAuditLog(
  session: Pick<Session, 'db'>,
  { language, ...filters }: AuditFilters & { language: 'es' | 'en' },
): Promise<Response> {
  if (!unwrap(await session.db.rpc('log_action', { p_action: 'audit_log.exported' })))
    throw new HttpError(403, { error: 'Forbidden' })
  const line = (cells: string[]) => csvLine(cells, SEPARATORS[language])
  const encoder = new TextEncoder()
  let cursor: string | undefined
  // What is wrong from the start is answered as an error.
  let ahead: ReturnType<typeof queryAuditLog> | null = queryAuditLog(session, { ...filters, limit: CHUNK })
  await ahead
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(BYTE_ORDER_MARK + line(HEADERS[language]))),
    async pull(controller) {
      const page = await (ahead ?? queryAuditLog(session, { ...filters, cursor, limit: CHUNK }))
      ahead = null
      const lines = page.data.map((entry) => line(cellsOf(entry))).join('')
      if (lines) controller.enqueue(encoder.encode(lines))
      cursor = page.next_cursor ?? undefined
      if (!cursor) controller.close()
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`,
    },
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
