import { z } from 'zod'
import { addDays, instantAt } from '@/lib/dates'
import { calendarDate, requiredText } from '@/lib/http/fields'
import { instantInput } from '@/lib/http/instant'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { pageQuery } from '@/lib/openapi/common'
import { AUDIT_KINDS } from './schema'

const part = requiredText(120).optional()

/**
 * The filters of the audit log, by the same names in the page's address, the API, the verb and list_audit_log's
 * `p_filters`.
 */
export const auditFilters = z.object({
  from: instantInput.optional(),
  to: instantInput.optional().meta({ description: 'Before this instant' }),
  actor: part.meta({ description: 'Part of the name or e-mail' }),
  kind: z.enum(AUDIT_KINDS).optional().meta({ description: 'Only lines about records of this kind' }),
  search: part.meta({ description: 'Part of what the record was called, or its id' }),
})
export type AuditFilters = z.infer<typeof auditFilters>

export const auditQuery = pageQuery.extend(auditFilters.shape)
export const auditExportQuery = auditFilters.extend({ language: z.enum(['es', 'en']).default('es') })

const day = calendarDate(1900, 2199).optional()

/** The address of the log's page; `from` and `to` are days in the group's time zone, both included. */
export const auditPage = pageAddress(
  '/settings/audit',
  auditFilters.extend({ from: day, to: day, cursor: cursorField }),
)
export type AuditView = ReturnType<typeof auditPage.read>

/** The address of the log's download. */
export const auditExport = pageAddress('/api/audit-log/export', auditExportQuery)

/** Converts the page's filters to those of the verb and the API; its days are those of the time zone. */
export function filtersOf({ from, to, actor, kind, search }: AuditView, timezone: string): AuditFilters {
  const start = (date: string) => instantAt(`${date}T00:00`, timezone).toISOString()
  return { from: from && start(from), to: to && start(addDays(to, 1)), actor, kind, search }
}
