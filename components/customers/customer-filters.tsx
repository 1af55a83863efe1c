import { useTranslations } from 'next-intl'
import { FilterBar } from '@/components/ui/filter-bar'
import { SearchField } from '@/components/ui/search-field'
import { UrlSelect } from '@/components/ui/url-select'
import { CONSENT_STATES } from '@/lib/customers/consent'
import type { Tier } from '@/lib/loyalty/schema'
import { CHANNELS } from '@/lib/messaging/schema'
import { type CustomersQuery, INACTIVE_DAYS, SORTS } from './customers-query'
import { TagFilter } from './tag-filter'

interface CustomerFiltersProps {
  list: CustomersQuery
  tiers: readonly Tier[]
}

/** What narrows and orders the customer list. */
export function CustomerFilters({ list, tiers }: CustomerFiltersProps) {
  const t = useTranslations('customers.filter')
  const channelName = useTranslations('customers.channels')
  return (
    <FilterBar>
      <SearchField label={t('search')} />
      <TagFilter value={list.tag} />
      <UrlSelect
        name="tier"
        label={t('tier')}
        value={list.tierId ?? ''}
        options={[
          { value: '', label: t('allTiers') },
          ...tiers.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <UrlSelect
        name="inactive"
        label={t('activity')}
        value={list.inactive ?? ''}
        options={[
          { value: '', label: t('anyActivity') },
          ...INACTIVE_DAYS.map((days) => ({ value: days, label: t('inactive', { days }) })),
        ]}
      />
      <UrlSelect
        name="consent"
        label={t('consent')}
        value={list.consent ?? ''}
        options={[
          { value: '', label: t('anyConsent') },
          ...CHANNELS.flatMap((channel) =>
            CONSENT_STATES.map((state) => ({
              value: `${channel}:${state}`,
              label: t(`consents.${state}`, { channel: channelName(channel) }),
            })),
          ),
        ]}
      />
      <UrlSelect
        name="sort"
        label={t('sort')}
        value={list.sort === 'recent' ? '' : list.sort}
        options={SORTS.map((sort) => ({ value: sort === 'recent' ? '' : sort, label: t(`sorts.${sort}`) }))}
      />
    </FilterBar>
  )
}
