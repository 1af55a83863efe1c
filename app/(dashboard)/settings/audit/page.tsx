import { IconDownload, IconFilterOff, IconHistory } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { AuditFilters } from '@/components/audit/audit-filters'
import { AuditTable } from '@/components/audit/audit-table'
import { DownloadLink } from '@/components/forms/download-link'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { queryAuditLog } from '@/lib/audit/audit-log'
import { auditExport, auditFilters, auditPage, filtersOf } from '@/lib/audit/filters'
import { pageSessionWith } from '@/lib/auth/page-session'
import { isFiltered } from '@/lib/http/page-address'

const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('audit') }
}

/** The audit log: who changed what. */
export default async function AuditPage({ searchParams }: PageProps<'/settings/audit'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const shown = auditPage.read(await searchParams)
  const filters = filtersOf(shown, session.organization.timezone)
  const [t, language, page] = await Promise.all([
    getTranslations('audit'),
    getLocale(),
    fromCursor(shown.cursor, (cursor) => queryAuditLog(session, { ...filters, cursor, limit: PAGE })),
  ])
  const narrowed = isFiltered(auditFilters, filters)
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
        <DownloadLink
          href={auditExport.href({ ...filters, language })}
          confirm={session.second_factor.enrolled}
        >
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
        path={shown.cursor}
        next={page.next_cursor}
        hrefAt={(path) => auditPage.href({ ...shown, cursor: path })}
        texts={{ first: t('first'), next: t('next') }}
      />
    </>
  )
}
