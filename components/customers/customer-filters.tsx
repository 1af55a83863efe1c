import { useTranslations } from 'next-intl'
import { FilterBar } from '@/components/ui/filter-field'
import { FilterFold } from '@/components/ui/filter-fold'
import { SearchField } from '@/components/ui/search-field'
import { UrlSelect } from '@/components/ui/url-select'
import { CONSENT_STATES } from '@/lib/customers/consent'
import { type CustomerList, SORTS } from '@/lib/customers/filters'
import type { Tier } from '@/lib/loyalty/schema'
import { CHANNELS } from '@/lib/messaging/schema'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import { TagFilter } from './tag-filter'

const INACTIVE_DAYS = [30, 90, 180]

interface CustomerFiltersProps {
  list: CustomerList
  tiers: readonly Tier[]
}

/** The filters and the order of the customer list. */
export function CustomerFilters({ list, tiers }: CustomerFiltersProps) {
  const t = useTranslations('customers.filter')
  const channelName = useTranslations('customers.channels')
  // The address may have another number of days than the options.
  const days = [...new Set([...INACTIVE_DAYS, list.inactive_days ?? 30])].sort((a, b) => a - b)
  return (
    <FilterBar>
      <SearchField label={t('search')} />
      <FilterFold
        active={[list.tag, list.tier, list.inactive_days, list.rhythm, list.consent].filter(Boolean).length}
      >
        <TagFilter value={list.tag ?? ''} />
        <UrlSelect
          name="tier"
          label={t('tier')}
          value={list.tier ?? ''}
          options={[
            { value: '', label: t('allTiers') },
            ...tiers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <UrlSelect
          name="inactive_days"
          label={t('activity')}
          value={list.inactive_days?.toString() ?? ''}
          options={[
            { value: '', label: t('anyActivity') },
            ...days.map((days) => ({ value: String(days), label: t('inactive', { days }) })),
          ]}
        />
        <UrlSelect
          name="rhythm"
          label={t('rhythm')}
          value={list.rhythm ?? ''}
          options={[
            { value: '', label: t('anyRhythm') },
            ...RHYTHM_STATES.map((state) => ({ value: state, label: t(`rhythms.${state}`) })),
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
      </FilterFold>
    </FilterBar>
  )
}
