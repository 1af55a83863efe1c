import { useTranslations } from 'next-intl'
import type { MergeRow } from './merge-fields'
import classes from './merge-form.module.css'

/** A field of both: two radio buttons where they differ, else both values and what becomes of them. */
export function MergeRowView({ row }: { row: MergeRow }) {
  const t = useTranslations('client.merge')
  const { key, label, kept, gone, field, result } = row
  if (field)
    return (
      <fieldset className={classes.row} data-choice>
        <legend className={classes.label}>{label}</legend>
        {(['kept', 'gone'] as const).map((side) => (
          <label key={side} className={classes.option}>
            <input type="radio" name={field} value={side} defaultChecked={side === 'kept'} />
            <span>{row[side]}</span>
          </label>
        ))}
        <span className={classes.result}>{t('choose')}</span>
      </fieldset>
    )
  return (
    <div className={classes.row} data-result={result} data-key={key}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value} data-side={t('keeps')}>
        {kept ?? '–'}
      </span>
      <span className={classes.value} data-side={t('goes')}>
        {gone ?? '–'}
      </span>
      <span className={classes.result}>{t(`results.${result}`)}</span>
    </div>
  )
}
