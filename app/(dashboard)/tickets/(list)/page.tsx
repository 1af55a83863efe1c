import { IconFilterOff, IconTicket } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { loadBoard, ticketChoices } from '@/components/tickets/load-tickets'
import { NewTicket } from '@/components/tickets/ticket-actions'
import { TicketBoard } from '@/components/tickets/ticket-board'
import { TicketFilters } from '@/components/tickets/ticket-filters'
import { TicketTable } from '@/components/tickets/ticket-table'
import { parseTicketsQuery, ticketsHref } from '@/components/tickets/tickets-query'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { ViewSwitch } from '@/components/ui/view-switch'
import { pageSession } from '@/lib/auth/page-session'
import { isFiltered } from '@/lib/http/page-address'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { ALL_LOCATIONS, inTab } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/locations/locations'
import { listColleagues } from '@/lib/team/members'
import { ticketFilters, ticketsPage } from '@/lib/tickets/filters'
import { listTickets } from '@/lib/tickets/tickets'

const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('tickets') }
}

/** The tickets, as a board by status or as a list. */
export default async function TicketsPage({ searchParams }: PageProps<'/tickets'>) {
  const session = await pageSession()
  const [query, locations, colleagues, t] = await Promise.all([
    searchParams,
    listLocations(session),
    listColleagues(session),
    getTranslations('tickets'),
  ])
  const shown = parseTicketsQuery(query, await chosenLocation(query, locations), colleagues)
  const filters = {
    priority: shown.priority,
    location_id: shown.location_id,
    assignee_id: shown.assignee_id === 'me' ? session.user_id : shown.assignee_id,
    search: shown.search,
  }
  const isBoard = shown.view === 'board'
  const [choices, columns, page] = await Promise.all([
    ticketChoices(session, locations, colleagues),
    isBoard ? loadBoard(session, filters) : [],
    isBoard
      ? { data: [], next_cursor: null }
      : fromCursor(shown.cursor, (cursor) =>
          listTickets(session, { ...filters, status: shown.status, cursor, limit: PAGE }),
        ),
  ])
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  const isEmpty = page.data.length === 0 && columns.every(({ tickets }) => tickets.length === 0)
  const narrowed = isFiltered(isBoard ? ticketFilters.omit({ status: true }) : ticketFilters, shown)
  const none = narrowed ? (
    <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
      <LinkButton href={inTab(ticketsPage.href({ view: shown.view }), shown.location_id && ALL_LOCATIONS)}>
        {t('clear')}
      </LinkButton>
    </EmptyState>
  ) : (
    <EmptyState icon={IconTicket} title={t('none')} text={t('noneText')}>
      {isBoard ? <LinkButton href={ticketsHref(shown, { view: 'list' })}>{t('seeClosed')}</LinkButton> : null}
    </EmptyState>
  )
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <ViewSwitch
          label={t('views.label')}
          views={[
            { href: ticketsHref(shown, { view: 'board' }), text: t('views.board'), current: isBoard },
            { href: ticketsHref(shown, { view: 'list' }), text: t('views.list'), current: !isBoard },
          ]}
        />
        <NewTicket choices={choices} />
      </PageHeader>
      <TicketFilters shown={shown} choices={choices} />
      {isBoard && !isEmpty ? (
        <TicketBoard
          columns={columns}
          locations={names}
          statuses={choices.statuses}
          listHref={(status) => ticketsHref(shown, { view: 'list', status })}
        />
      ) : (
        <Panel title={t('list')} flush hideTitle>
          {isEmpty ? none : <TicketTable tickets={page.data} locations={names} />}
          <Pager
            label={t('pages')}
            path={shown.cursor}
            next={page.next_cursor}
            hrefAt={(path) => ticketsHref(shown, { cursor: path })}
            texts={{ first: t('firstPage'), next: t('nextPage') }}
          />
        </Panel>
      )}
    </>
  )
}
