import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { StaleBanner } from '@/components/locations/stale-banner'
import { ChannelsPanel } from '@/components/reports/channels-panel'
import { CohortTable } from '@/components/reports/cohort-table'
import { HoursPanel } from '@/components/reports/hours-panel'
import { ReportFiles } from '@/components/reports/report-files'
import { ReportFilters } from '@/components/reports/report-filters'
import { ReportHelp } from '@/components/reports/report-help'
import classes from '@/components/reports/reports.module.css'
import { RetentionChart } from '@/components/reports/retention-chart'
import { TierRevenuePanel } from '@/components/reports/tier-revenue'
import { WeeksPanel } from '@/components/reports/weeks-panel'
import { EmptyGroup } from '@/components/setup/empty-group'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { onReplica } from '@/lib/auth/session'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { readReports } from '@/lib/reports/reports'
import { reportsPage } from '@/lib/reports/schema'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('reports') }
}

/** What each week brought, whether new guests come again, and revenue by tier; of one location or of all. */
export default async function ReportsPage({ searchParams }: PageProps<'/reports'>) {
  const session = await pageSessionWith('canReadReports')
  if (!session) return <NoAccess />
  const [asked, locations, t] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('reports'),
  ])
  const location = await chosenLocation(asked, locations)
  const query = { ...reportsPage.read(asked), location_id: location?.id }
  const reports = await readReports(onReplica(session), query)
  const shown = location ? [location] : locations.filter(({ is_active }) => is_active)
  const isNew = reports.groups.length > 0
  const hasWeeks = reports.weeks.totals.some(({ served, booked }) => served?.covers || booked?.covers)
  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} subtitle={location?.name ?? t('subtitle')}>
        {reports.data_from ? <ReportFiles query={query} /> : null}
      </PageHeader>
      <StaleBanner locations={shown} />
      {hasWeeks ? <WeeksPanel weeks={reports.weeks} /> : null}
      {reports.data_from ? (
        <>
          <ReportFilters query={query} />
          <HoursPanel hours={reports.hours} />
          <ReportHelp />
          {isNew ? (
            <>
              <CohortTable reports={reports} split={query.split} />
              <RetentionChart reports={reports} split={query.split} months={query.months} />
            </>
          ) : (
            <Panel title={t('cohorts.title')}>
              <p>{t('cohorts.none')}</p>
            </Panel>
          )}
          <ChannelsPanel channels={reports.hours.all.channels} />
          <TierRevenuePanel tiers={reports.tiers} />
        </>
      ) : hasWeeks ? null : (
        <Panel title={t('title')} hideTitle>
          <EmptyGroup need={locations.length > 0 ? 'reservations' : 'locations'} can={session.can} />
        </Panel>
      )}
    </div>
  )
}
