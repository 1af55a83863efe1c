import { choice, href, param, type Query } from '@/components/ui/query'
import type { AuditFilters } from '@/lib/audit/operations'
import { AUDIT_KINDS } from '@/lib/audit/schema'
import { instantAt } from '@/lib/calendar/local-time'
import { TIME_ZONE } from '@/lib/i18n/locales'

const DATE = /^(19|20|21)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** What the page's address asks for; days are those of the group's own time zone, both included. */
export function parseAuditQuery(query: Query) {
  const day = (name: string) => (DATE.test(param(query, name)) ? param(query, name) : '')
  return {
    from: day('from'),
    to: day('to'),
    person: param(query, 'person'),
    kind: choice(query, 'kind', AUDIT_KINDS),
    search: param(query, 'q'),
    cursor: param(query, 'cursor', 600) || undefined,
  }
}

export type AuditView = ReturnType<typeof parseAuditQuery>

/** The filters as the verb takes them. */
export function filtersOf({ from, to, person, kind, search }: AuditView): AuditFilters {
  const next = to && new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  return {
    from: from ? instantAt(`${from}T00:00`, TIME_ZONE).toISOString() : undefined,
    to: next ? instantAt(`${next}T00:00`, TIME_ZONE).toISOString() : undefined,
    actor: person || undefined,
    kind,
    search: search || undefined,
  }
}

/** The page with these filters, at a cursor or at the start. */
export const auditHref = ({ from, to, person, kind, search }: AuditView, cursor?: string) =>
  href('/settings/audit', { from, to, person, kind, q: search, cursor })

/** The download of what the filters match. */
export const auditDownload = (shown: AuditView, language: string) =>
  href('/api/audit-log/export', { ...filtersOf(shown), language })
