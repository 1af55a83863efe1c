import { IconSearch, IconSelector } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { FilterControl } from '@/components/ui/filter-control'
import { FilterField, filterClasses } from '@/components/ui/filter-field'
import { type AuditView, auditPage } from '@/lib/audit/filters'
import { AUDIT_KINDS } from '@/lib/audit/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './audit.module.css'

/** The log's filters: a plain GET form, so that the values are in the address. */
export function AuditFilters({ shown }: { shown: AuditView }) {
  const t = useTranslations('audit')
  const format = useFormatter()
  const days = (['from', 'to'] as const).map((name) => {
    const label = t(`filters.${name}`)
    const value = shown[name] ?? ''
    return {
      name,
      label,
      value,
      shown: value && format.dateTime(calendarDate(value), 'date'),
      field: (
        <input
          key={value}
          type="date"
          name={name}
          aria-label={label}
          className={`${filterClasses.control} ${classes.day}`}
          defaultValue={value}
        />
      ),
    }
  })
  return (
    // The fields' keys: a link that takes a filter away loads other values, with which they begin anew.
    <form method="get" action="/settings/audit">
      <FilterControl
        without={(gone) => auditPage.href({ ...shown, cursor: undefined, ...gone })}
        filters={[
          {
            name: 'actor',
            label: t('filters.person'),
            value: shown.actor ?? '',
            field: (
              <input
                key={shown.actor}
                type="text"
                name="actor"
                aria-label={t('filters.person')}
                className={filterClasses.control}
                defaultValue={shown.actor}
                maxLength={100}
              />
            ),
          },
          {
            name: 'kind',
            label: t('filters.kind'),
            value: shown.kind ?? '',
            shown: shown.kind && t(`kinds.${shown.kind}`),
            field: <KindField key={shown.kind} kind={shown.kind} />,
          },
          ...days,
        ]}
        foot={
          <button type="submit" className={classes.submit}>
            {t('filters.apply')}
          </button>
        }
      >
        <FilterField icon={<IconSearch size={16} aria-hidden />} end={null}>
          <input
            key={shown.search}
            type="search"
            name="search"
            aria-label={t('filters.search')}
            placeholder={t('filters.search')}
            className={filterClasses.control}
            defaultValue={shown.search}
            maxLength={100}
          />
        </FilterField>
      </FilterControl>
    </form>
  )
}

function KindField({ kind = '' }: Pick<AuditView, 'kind'> | { kind?: '' }) {
  const t = useTranslations('audit')
  return (
    <FilterField end={<IconSelector size={16} aria-hidden />}>
      <select
        name="kind"
        aria-label={t('filters.kind')}
        className={filterClasses.control}
        defaultValue={kind}
      >
        <option value="">{t('filters.anything')}</option>
        {AUDIT_KINDS.map((each) => (
          <option key={each} value={each}>
            {t(`kinds.${each}`)}
          </option>
        ))}
      </select>
    </FilterField>
  )
}
