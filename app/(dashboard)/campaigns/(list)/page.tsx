import { IconFilterOff, IconPalette, IconSpeakerphone } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SendingNote } from '@/components/automations/notes'
import { campaignFilters, campaignsPage } from '@/components/campaigns/addresses'
import { CampaignFilters, CampaignsTable, isOver, NewCampaignLink } from '@/components/campaigns/list'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { MoreMenu } from '@/components/ui/more-menu'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { readSending } from '@/lib/automations/control-runs'
import { liftsOfAutomations } from '@/lib/automations/lift'
import { listCampaigns } from '@/lib/campaigns/reads'
import type { CampaignSummary } from '@/lib/campaigns/schema'
import { isFiltered } from '@/lib/http/page-address'

// As many are compared in half a second; the page of a larger campaign compares its guests.
const MOST_COMPARED = 100_000

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('campaigns') }
}

/** The campaigns, with how far each is. */
export default async function CampaignsPage({ searchParams }: PageProps<'/campaigns'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, t] = await Promise.all([searchParams, getTranslations('campaigns')])
  const list = campaignsPage.read(query)
  const [{ data, next_cursor }, sending] = await Promise.all([
    fromCursor(list.cursor, (cursor) => listCampaigns(session, { ...list, cursor })),
    readSending(session),
  ])
  const lifts = await liftsOfAutomations(session, quicklyCompared(data))
  const first = data.length === 0 && !isFiltered(campaignFilters, list) && !list.cursor
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        {first ? null : <NewCampaignLink />}
        <MoreMenu label={t('look.more')} phoneOnly>
          <LinkButton href="/campaigns/look" prefetch={false}>
            <IconPalette size={16} aria-hidden />
            {t('look.title')}
          </LinkButton>
        </MoreMenu>
      </PageHeader>
      <SendingNote sending={sending} />
      {first ? null : <CampaignFilters status={list.status} />}
      <Panel title={t('list')} hideTitle flush>
        {data.length > 0 ? (
          <CampaignsTable campaigns={data} lifts={lifts} />
        ) : first ? (
          <EmptyState icon={IconSpeakerphone} title={t('none')} text={t('noneText')}>
            <NewCampaignLink />
          </EmptyState>
        ) : (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton href={campaignsPage.href({})}>{t('clear')}</LinkButton>
          </EmptyState>
        )}
        <Pager
          label={t('pages')}
          path={list.cursor}
          next={next_cursor}
          hrefAt={(path) => campaignsPage.href({ ...list, cursor: path })}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      </Panel>
    </>
  )
}

/** The campaigns that are over whose lift can be shown at once, the latest first. */
function quicklyCompared(campaigns: readonly CampaignSummary[]): string[] {
  let guests = 0
  return campaigns.flatMap((campaign) => {
    if (!isOver(campaign) || guests + (campaign.guests ?? 0) > MOST_COMPARED) return []
    guests += campaign.guests ?? 0
    return [campaign.id]
  })
}
