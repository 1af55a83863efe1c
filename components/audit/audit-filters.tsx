import { IconSearch, IconSelector } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { FilterField, filterClasses } from '@/components/ui/filter-field'
import type { AuditView } from '@/lib/audit/filters'
import { AUDIT_KINDS } from '@/lib/audit/schema'
import classes from './audit.module.css'

/** The log's filters: a plain GET form, so that the values are in the address. */
export function AuditFilters({ shown }: { shown: AuditView }) {
  const t = useTranslations('audit')
  return (
    <form method="get" action="/settings/audit" className={classes.filters}>
      <FilterField icon={<IconSearch size={16} aria-hidden />} end={null}>
        <input
          type="search"
          name="search"
          aria-label={t('filters.search')}
          placeholder={t('filters.search')}
          className={filterClasses.control}
          defaultValue={shown.search}
          maxLength={100}
        />
      </FilterField>
      <FilterField end={null}>
        <input
          type="text"
          name="actor"
          aria-label={t('filters.person')}
          placeholder={t('filters.person')}
          className={filterClasses.control}
          defaultValue={shown.actor}
          maxLength={100}
        />
      </FilterField>
      <FilterField end={<IconSelector size={16} aria-hidden />}>
        <select
          name="kind"
          aria-label={t('filters.kind')}
          className={filterClasses.control}
          defaultValue={shown.kind ?? ''}
        >
          <option value="">{t('filters.anything')}</option>
          {AUDIT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </select>
      </FilterField>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className={classes.day}>
          {t(`filters.${name}`)}
          <input type="date" name={name} className={filterClasses.control} defaultValue={shown[name]} />
        </label>
      ))}
      <button type="submit" className={classes.submit}>
        {t('filters.apply')}
      </button>
    </form>
  )
}
