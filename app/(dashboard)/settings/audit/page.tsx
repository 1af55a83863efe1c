import { IconDownload, IconFilterOff, IconHistory } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { AuditFilters } from '@/components/audit/audit-filters'
import { auditDownload, auditHref, filtersOf, parseAuditQuery } from '@/components/audit/audit-query'
import { AuditTable } from '@/components/audit/audit-table'
import { DownloadLink } from '@/components/ui/download-link'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { queryAuditLog } from '@/lib/audit/list-audit-log'
import { pageSessionWith } from '@/lib/auth/page-session'

const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('audit') }
}

/** Who did what. */
export default async function AuditPage({ searchParams }: PageProps<'/settings/audit'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const shown = parseAuditQuery(await searchParams)
  const filters = filtersOf(shown)
  const [t, language, page] = await Promise.all([
    getTranslations('audit'),
    getLocale(),
    fromCursor(shown.cursor, (cursor) => queryAuditLog(session, { ...filters, cursor, limit: PAGE })),
  ])
  const narrowed = Object.values(filters).some(Boolean)
  const none = (
    <EmptyState
      icon={narrowed ? IconFilterOff : IconHistory}
      title={t(narrowed ? 'noMatch' : 'none')}
      text={t(narrowed ? 'noMatchText' : 'noneText')}
    >
      {narrowed ? <LinkButton href="/settings/audit">{t('clear')}</LinkButton> : null}
    </EmptyState>
  )
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <DownloadLink href={auditDownload(shown, language)} confirm={session.second_factor.enrolled}>
          <IconDownload size={18} aria-hidden />
          {t('download')}
        </DownloadLink>
      </PageHeader>
      <AuditFilters shown={shown} />
      <Panel title={t('title')} hideTitle flush>
        {page.data.length === 0 ? none : <AuditTable lines={page.data} />}
      </Panel>
      <Pager
        label={t('pages')}
        first={shown.cursor ? { href: auditHref(shown), text: t('first') } : null}
        next={page.next_cursor ? { href: auditHref(shown, page.next_cursor), text: t('next') } : null}
      />
    </>
  )
}
