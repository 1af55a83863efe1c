import { IconFilterOff, IconSend } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SendingSwitch } from '@/components/automations/actions'
import { AutomationFilters, AutomationsTable, NewLink } from '@/components/automations/list'
import { ProviderNote, SendingNote } from '@/components/automations/notes'
import { TypeCards } from '@/components/automations/type-cards'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { boundTo } from '@/lib/auth/session'
import { readSending } from '@/lib/automations/control-runs'
import { automationFilters, automationsPage } from '@/lib/automations/filters'
import { listAutomations } from '@/lib/automations/reads'
import { automationsOverview } from '@/lib/automations/results'
import { isFiltered } from '@/lib/http/page-address'
import { channelTroubles } from '@/lib/messaging/providers'

const DAYS = 90

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('automations') }
}

/** The automations and their results. */
export default async function AutomationsPage({ searchParams }: PageProps<'/automations'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, t] = await Promise.all([searchParams, getTranslations('automations')])
  const list = automationsPage.read(query)
  const { data, next_cursor } = await fromCursor(list.cursor, (cursor) =>
    listAutomations(session, { ...list, cursor }),
  )
  const ids = data.map(({ id }) => id)
  const [overview, troubles, sending, bound] = await Promise.all([
    automationsOverview(session, ids, DAYS),
    channelTroubles(session),
    readSending(session),
    boundTo(session),
  ])
  const active = data.filter((automation) => automation.status === 'active')
  const first = data.length === 0 && !isFiltered(automationFilters, list) && !list.cursor
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
          <AutomationFilters {...list} />
          <Panel title={t('period', { days: DAYS })} flush>
            {data.length > 0 ? (
              <AutomationsTable automations={data} overview={overview} />
            ) : (
              <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
                <LinkButton href={automationsPage.href({})}>{t('clear')}</LinkButton>
              </EmptyState>
            )}
            <Pager
              label={t('pages')}
              path={list.cursor}
              next={next_cursor}
              hrefAt={(path) => automationsPage.href({ ...list, cursor: path })}
              texts={{ first: t('firstPage'), next: t('nextPage') }}
            />
          </Panel>
        </>
      )}
    </>
  )
}
