import { IconX } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import classes from './filter-control.module.css'
import { FilterBar } from './filter-field'
import { FilterFold } from './filter-fold'
import { Link } from './link'
import { UrlSelect } from './url-select'

interface BaseFilter {
  /** The query parameter that it sets. */
  name: string
  label: string
  /** What is set; empty: nothing. */
  value: string
}

/** A filter with its choices; `any` is the one that sets nothing. */
interface Choice extends BaseFilter {
  any: string
  options: { value: string; label: string }[]
}

/** A filter with a field of its own; `shown` is how its chip says the value. */
interface OwnField extends BaseFilter {
  field: ReactNode
  shown?: string
}

type Filter = Choice | OwnField

interface FilterControlProps {
  filters: readonly Filter[]
  /** The address of the list's first page without some of the parameters. */
  without: (gone: Record<string, undefined>) => string
  /** What stands before the button: the search, the views. */
  children?: ReactNode
  /** The choice of the list's order. */
  sort?: ReactNode
  /** Below the fields: the button of a form. */
  foot?: ReactNode
}

/** The filters of a list behind one button, and each that is set as a chip which takes it away. */
export function FilterControl({ filters, without, children, sort, foot }: FilterControlProps) {
  const set = filters.filter(({ value }) => value !== '')
  return (
    <>
      <FilterBar sorted={sort !== undefined}>
        {children}
        <FilterFold active={set.length}>
          {filters.map((filter) => (
            <div key={filter.name} className={classes.field}>
              <span aria-hidden>{filter.label}</span>
              {'field' in filter ? (
                filter.field
              ) : (
                <UrlSelect
                  name={filter.name}
                  label={filter.label}
                  value={filter.value}
                  options={[{ value: '', label: filter.any }, ...filter.options]}
                />
              )}
            </div>
          ))}
          {foot}
        </FilterFold>
        {sort}
      </FilterBar>
      {set.length > 0 ? <SetFilters filters={set} without={without} /> : null}
    </>
  )
}

const saidValue = (filter: Filter) =>
  'field' in filter
    ? (filter.shown ?? filter.value)
    : (filter.options.find(({ value }) => value === filter.value)?.label ?? filter.value)

/** The filters that are set, as links to the list without each of them. */
function SetFilters({ filters, without }: Pick<FilterControlProps, 'filters' | 'without'>) {
  const t = useTranslations('common.filters')
  return (
    <ul className={classes.set} aria-label={t('label')}>
      {filters.map((filter) => (
        <li key={filter.name}>
          <Link
            href={without({ [filter.name]: undefined })}
            scroll={false}
            prefetch={false}
            className={classes.chip}
            aria-label={t('remove', { label: filter.label, value: saidValue(filter) })}
          >
            <span>{t('chip', { label: filter.label, value: saidValue(filter) })}</span>
            <IconX size={14} aria-hidden />
          </Link>
        </li>
      ))}
      {filters.length > 1 ? (
        <li>
          <Link
            href={without(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
            scroll={false}
            prefetch={false}
            className={classes.clear}
          >
            {t('clear')}
          </Link>
        </li>
      ) : null}
    </ul>
  )
}
