import { IconFilterOff, IconSend } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AutomationFilters } from '@/components/automations/automation-filters'
import { AutomationsTable } from '@/components/automations/automations-table'
import { NewLink } from '@/components/automations/new-link'
import { ProviderNote } from '@/components/automations/provider-note'
import { SendingNote } from '@/components/automations/sending-note'
import { SendingSwitch } from '@/components/automations/sending-switch'
import { TypeCards } from '@/components/automations/type-cards'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { Panels } from '@/components/ui/panels'
import { choice, href, param } from '@/components/ui/query'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listAutomations } from '@/lib/automations/list-automations'
import { automationsOverview } from '@/lib/automations/overview'
import { AUTOMATION_STATUSES } from '@/lib/automations/schema'
import { readSending } from '@/lib/automations/stop-sending'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { boundTo } from '@/lib/locations/bound-to'
import { channelTroubles } from '@/lib/messaging/channel-troubles'

const PATH = '/automations'
const DAYS = 90

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('automations') }
}

/** The messages that go by themselves, and what they bring. */
export default async function AutomationsPage({ searchParams }: PageProps<'/automations'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, t] = await Promise.all([searchParams, getTranslations('automations')])
  const type = choice(query, 'type', AUTOMATION_TYPES)
  const status = choice(query, 'status', AUTOMATION_STATUSES)
  const after = param(query, 'cursor', 1000) || undefined
  const { data, next_cursor } = await fromCursor(after, (cursor) =>
    listAutomations(session, { type, status, cursor }),
  )
  const ids = data.map(({ id }) => id)
  const [overview, troubles, sending, bound] = await Promise.all([
    automationsOverview(session, ids, DAYS),
    channelTroubles(session),
    readSending(session),
    boundTo(session),
  ])
  const active = data.filter((automation) => automation.status === 'active')
  const first = data.length === 0 && !type && !status && !after
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        {bound ? null : <SendingSwitch stopped={sending.stopped_at !== null} />}
        {first ? null : <NewLink text={t('new')} />}
      </PageHeader>
      <SendingNote sending={sending} />
      {first ? (
        <Panels>
          <Panel title={t('list')} hideTitle flush>
            <EmptyState icon={IconSend} title={t('none')} text={t('noneText')} />
          </Panel>
          <TypeCards />
        </Panels>
      ) : (
        <>
          <ProviderNote automations={active} troubles={troubles} />
          <AutomationFilters type={type} status={status} />
          <Panel title={t('period', { days: DAYS })} flush>
            {data.length > 0 ? (
              <AutomationsTable automations={data} overview={overview} />
            ) : (
              <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
                <LinkButton href={PATH}>{t('clear')}</LinkButton>
              </EmptyState>
            )}
            <Pager
              label={t('pages')}
              first={after ? { href: href(PATH, { type, status }), text: t('firstPage') } : null}
              next={
                next_cursor
                  ? { href: href(PATH, { type, status, cursor: next_cursor }), text: t('nextPage') }
                  : null
              }
            />
          </Panel>
        </>
      )}
    </>
  )
}
