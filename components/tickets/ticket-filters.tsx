import { useTranslations } from 'next-intl'
import { FilterBar } from '@/components/ui/filter-field'
import { FilterFold } from '@/components/ui/filter-fold'
import { SearchField } from '@/components/ui/search-field'
import { UrlSelect } from '@/components/ui/url-select'
import { TICKET_PRIORITIES } from '@/lib/tickets/schema'
import type { TicketChoices } from './load-tickets'
import type { TicketsView } from './tickets-query'

interface TicketFiltersProps {
  shown: TicketsView
  choices: TicketChoices
}

/** The filters of the tickets. The board has no filter by status, because its columns are the statuses. */
export function TicketFilters({ shown, choices }: TicketFiltersProps) {
  const t = useTranslations('tickets')
  const priorities = TICKET_PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))
  return (
    <FilterBar>
      <SearchField label={t('search')} />
      <FilterFold active={[shown.status, shown.priority, shown.assignee_id].filter(Boolean).length}>
        {shown.view === 'list' ? (
          <UrlSelect
            name="status"
            label={t('columns.status')}
            value={shown.status ?? ''}
            options={[{ value: '', label: t('filters.anyStatus') }, ...choices.statuses]}
          />
        ) : null}
        <UrlSelect
          name="priority"
          label={t('columns.priority')}
          value={shown.priority ?? ''}
          options={[{ value: '', label: t('filters.anyPriority') }, ...priorities]}
        />
        <UrlSelect
          name="assignee_id"
          label={t('columns.assignee')}
          value={shown.assignee_id ?? ''}
          options={[
            { value: '', label: t('filters.anyone') },
            { value: 'me', label: t('filters.mine') },
            ...choices.colleagues,
          ]}
        />
      </FilterFold>
    </FilterBar>
  )
}
