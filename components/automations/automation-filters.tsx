import { useTranslations } from 'next-intl'
import { FilterBar } from '@/components/ui/filter-bar'
import { UrlSelect } from '@/components/ui/url-select'
import { AUTOMATION_STATUSES } from '@/lib/automations/schema'
import { AUTOMATION_TYPES } from '@/lib/automations/types'

/** What narrows the list of automations. */
export function AutomationFilters({ type = '', status = '' }: { type?: string; status?: string }) {
  const t = useTranslations('automations.filter')
  const types = useTranslations('client.automations.types')
  return (
    <FilterBar>
      <UrlSelect
        name="type"
        label={t('type')}
        value={type}
        options={[
          { value: '', label: t('allTypes') },
          ...AUTOMATION_TYPES.map((value) => ({ value, label: types(value) })),
        ]}
      />
      <UrlSelect
        name="status"
        label={t('status')}
        value={status}
        options={[
          { value: '', label: t('allStatuses') },
          ...AUTOMATION_STATUSES.map((value) => ({ value, label: t(value) })),
        ]}
      />
    </FilterBar>
  )
}
