import { IconFilterOff, IconTicket } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { loadBoard } from '@/components/tickets/load-board'
import { NewTicket } from '@/components/tickets/new-ticket'
import { TicketBoard } from '@/components/tickets/ticket-board'
import { ticketChoices } from '@/components/tickets/ticket-choices'
import { TicketFilters } from '@/components/tickets/ticket-filters'
import { TicketTable } from '@/components/tickets/ticket-table'
import { isNarrowed, parseTicketsQuery, ticketsHref } from '@/components/tickets/tickets-query'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { ViewSwitch } from '@/components/ui/view-switch'
import { pageSession } from '@/lib/auth/page-session'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { ALL_LOCATIONS } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/organization/list-locations'
import { listColleagues } from '@/lib/team/list-colleagues'
import { listTickets } from '@/lib/tickets/list-tickets'

const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('tickets') }
}

/** What the staff has to solve, as a board by status or as a list. */
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
    location_id: shown.location,
    assignee_id: shown.assignee === 'me' ? session.user_id : shown.assignee,
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
  const narrowed = isNarrowed(shown)
  const none = narrowed ? (
    <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
      <LinkButton
        href={ticketsHref({
          ...parseTicketsQuery({}, undefined, []),
          view: shown.view,
          location: shown.location && ALL_LOCATIONS,
        })}
      >
        {t('clear')}
      </LinkButton>
    </EmptyState>
  ) : (
    <EmptyState icon={IconTicket} title={t('none')} text={t('noneText')}>
      {isBoard ? <LinkButton href={ticketsHref(shown, { view: 'list' })}>{t('seeClosed')}</LinkButton> : null}
    </EmptyState>
  )
  const next = page.next_cursor && ticketsHref(shown, { cursor: page.next_cursor })
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
            first={shown.cursor ? { href: ticketsHref(shown), text: t('firstPage') } : null}
            next={next ? { href: next, text: t('nextPage') } : null}
          />
        </Panel>
      )}
    </>
  )
}
