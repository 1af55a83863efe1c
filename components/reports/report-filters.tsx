import { useTranslations } from 'next-intl'
import { FilterBar } from '@/components/ui/filter-field'
import { UrlSelect } from '@/components/ui/url-select'
import { PERIODS, type ReportsQuery, SPLITS } from '@/lib/reports/schema'

/** Period and split of the reports, both in the address; the location is the tab's. */
export function ReportFilters({ query }: { query: ReportsQuery }) {
  const t = useTranslations('reports.filters')
  const periods = [...new Set([...PERIODS, query.months])].sort((one, other) => one - other)
  return (
    <FilterBar>
      <UrlSelect
        name="months"
        label={t('period')}
        value={String(query.months)}
        options={periods.map((months) => ({ value: String(months), label: t('months', { months }) }))}
      />
      <UrlSelect
        name="split"
        label={t('split')}
        value={query.split ?? ''}
        options={[
          { value: '', label: t('noSplit') },
          ...SPLITS.map((split) => ({ value: split, label: t(`splits.${split}`) })),
        ]}
      />
    </FilterBar>
  )
}
