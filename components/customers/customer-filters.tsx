import { useTranslations } from 'next-intl'
import { FilterControl } from '@/components/ui/filter-control'
import { SearchField } from '@/components/ui/search-field'
import { UrlSelect } from '@/components/ui/url-select'
import { CONSENT_STATES } from '@/lib/customers/consent'
import { type CustomerList, customersPage, SORTS } from '@/lib/customers/filters'
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
    <FilterControl
      without={(gone) => customersPage.href({ ...list, cursor: undefined, ...gone })}
      filters={[
        {
          name: 'tag',
          label: t('tag'),
          value: list.tag ?? '',
          field: <TagFilter value={list.tag ?? ''} />,
        },
        {
          name: 'tier',
          label: t('tier'),
          value: list.tier ?? '',
          any: t('allTiers'),
          options: tiers.map(({ id, name }) => ({ value: id, label: name })),
        },
        {
          name: 'inactive_days',
          label: t('activity'),
          value: list.inactive_days?.toString() ?? '',
          any: t('anyActivity'),
          options: days.map((days) => ({ value: String(days), label: t('inactive', { days }) })),
        },
        {
          name: 'rhythm',
          label: t('rhythm'),
          value: list.rhythm ?? '',
          any: t('anyRhythm'),
          options: RHYTHM_STATES.map((state) => ({ value: state, label: t(`rhythms.${state}`) })),
        },
        {
          name: 'consent',
          label: t('consent'),
          value: list.consent ?? '',
          any: t('anyConsent'),
          options: CHANNELS.flatMap((channel) =>
            CONSENT_STATES.map((state) => ({
              value: `${channel}:${state}`,
              label: t(`consents.${state}`, { channel: channelName(channel) }),
            })),
          ),
        },
      ]}
      sort={
        <UrlSelect
          name="sort"
          label={t('sort')}
          value={list.sort === 'recent' ? '' : list.sort}
          options={SORTS.map((sort) => ({ value: sort === 'recent' ? '' : sort, label: t(`sorts.${sort}`) }))}
        />
      }
    >
      <SearchField label={t('search')} />
    </FilterControl>
  )
}
