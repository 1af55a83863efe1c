import { useTranslations } from 'next-intl'
import { FilterControl } from '@/components/ui/filter-control'
import { SearchField } from '@/components/ui/search-field'
import { TICKET_PRIORITIES } from '@/lib/tickets/schema'
import type { TicketChoices } from './load-tickets'
import { type TicketsView, ticketsHref } from './tickets-query'

interface TicketFiltersProps {
  shown: TicketsView
  choices: TicketChoices
}

/** The filters of the tickets. The board has no filter by status, because its columns are the statuses. */
export function TicketFilters({ shown, choices }: TicketFiltersProps) {
  const t = useTranslations('tickets')
  const status = {
    name: 'status',
    label: t('columns.status'),
    value: shown.status ?? '',
    any: t('filters.anyStatus'),
    options: choices.statuses,
  }
  return (
    <FilterControl
      without={(gone) => ticketsHref(shown, gone)}
      filters={[
        ...(shown.view === 'list' ? [status] : []),
        {
          name: 'priority',
          label: t('columns.priority'),
          value: shown.priority ?? '',
          any: t('filters.anyPriority'),
          options: TICKET_PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) })),
        },
        {
          name: 'assignee_id',
          label: t('columns.assignee'),
          value: shown.assignee_id ?? '',
          any: t('filters.anyone'),
          options: [{ value: 'me', label: t('filters.mine') }, ...choices.colleagues],
        },
      ]}
    >
      <SearchField label={t('search')} />
    </FilterControl>
  )
}
