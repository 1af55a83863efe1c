import { IconFilterOff, IconMessageHeart } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { FeedbackTable } from '@/components/feedback/feedback-table'
import { TrendPanel } from '@/components/feedback/trend-panel'
import { ClientTexts } from '@/components/ui/client-texts'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterControl } from '@/components/ui/filter-control'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { feedbackFilters, feedbackPage, PERIODS } from '@/lib/feedback/filters'
import { feedbackTrend, listFeedback } from '@/lib/feedback/reads'
import { SCORES } from '@/lib/feedback/schema'
import { isFiltered } from '@/lib/http/page-address'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { ALL_LOCATIONS, inTab } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/locations/locations'

const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('feedback') }
}

/** What guests said about their visits: the trend of 12 weeks and the answers. */
export default async function FeedbackPage({ searchParams }: PageProps<'/feedback'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const [query, locations, t] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('feedback'),
  ])
  const { score, days, cursor } = feedbackPage.read(query)
  const location_id = (await chosenLocation(query, locations))?.id
  const shown = { location_id, score, days }
  const [trend, answers] = await Promise.all([
    feedbackTrend(session, location_id),
    fromCursor(cursor, (from) => listFeedback(session, { ...shown, cursor: from, limit: PAGE })),
  ])
  const narrowed = isFiltered(feedbackFilters, shown)
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <TrendPanel trend={trend} />
        <div>
          <FilterControl
            without={(gone) => feedbackPage.href({ ...shown, ...gone })}
            filters={[
              {
                name: 'score',
                label: t('columns.score'),
                value: String(score ?? ''),
                any: t('anyScore'),
                options: SCORES.map((each) => ({ value: String(each), label: t('stars', { score: each }) })),
              },
              {
                name: 'days',
                label: t('period'),
                value: days ?? '',
                any: t('anyPeriod'),
                options: PERIODS.map((each) => ({
                  value: each,
                  label: t('lastDays', { days: Number(each) }),
                })),
              },
            ]}
          />
          <Panel title={t('list')} flush hideTitle>
            {answers.data.length > 0 ? (
              <ClientTexts features={['feedback']}>
                <FeedbackTable feedback={answers.data} />
              </ClientTexts>
            ) : narrowed ? (
              <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
                <LinkButton href={inTab(feedbackPage.href({}), location_id && ALL_LOCATIONS)}>
                  {t('clear')}
                </LinkButton>
              </EmptyState>
            ) : (
              <EmptyState icon={IconMessageHeart} title={t('none')} text={t('noneText')}>
                {session.can('canAccessMarketing') ? (
                  <LinkButton href="/automations/new?type=post_visit">{t('write')}</LinkButton>
                ) : null}
              </EmptyState>
            )}
            <Pager
              label={t('pages')}
              path={cursor}
              next={answers.next_cursor}
              hrefAt={(path) => feedbackPage.href({ ...shown, cursor: path })}
              texts={{ first: t('latestPage'), next: t('earlierPage') }}
            />
          </Panel>
        </div>
      </Panels>
    </>
  )
}
