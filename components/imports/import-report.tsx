'use client'
import { useLocale, useTranslations } from 'next-intl'
import { readErrorLine } from '@/lib/imports/reasons'
import type { ImportDetail } from '@/lib/imports/schema'
import classes from './import-report.module.css'

const SHOWN = 10

/** The result of an import: counts, the first errors in words, and the failed rows as a download. */
export function ImportReport({ run }: { run: ImportDetail }) {
  const t = useTranslations('client.import')
  const language = useLocale()
  const rest = run.error_count - Math.min(run.errors.length, SHOWN)
  const counts = ['total', 'imported', 'created', 'updated', 'failed_row_count'] as const
  const failed = run.processed - run.imported
  const summary = {
    created: run.created,
    known: run.imported - run.repeated - run.created,
    repeated: run.repeated,
    problem: failed + run.incomplete,
    beyond: run.total - run.processed,
  }
  const parts = (Object.keys(summary) as (keyof typeof summary)[])
    .filter((name) => name === 'created' || summary[name] > 0)
    .map((name) => t(`summary.${name}`, { count: summary[name] }))
  return (
    <div className={classes.report}>
      <h3 className={classes.title}>{t(`outcome.${run.status}`)}</h3>
      <p className={classes.summary}>{parts.join(', ')}</p>
      {run.incomplete > 0 ? (
        <p className={classes.more}>{t('incomplete', { count: run.incomplete })}</p>
      ) : null}
      <dl className={classes.counts}>
        {counts.map((name) => (
          <div key={name} data-bad={(name === 'failed_row_count' && run[name] > 0) || undefined}>
            <dt>{t(`counts.${name}`)}</dt>
            <dd>{t('number', { count: run[name] })}</dd>
          </div>
        ))}
      </dl>
      {run.errors.length > 0 ? (
        <ul className={classes.errors} aria-label={t('errors')}>
          {run.errors.slice(0, SHOWN).map((line) => {
            const { row, reasons } = readErrorLine(line)
            return (
              <li key={line}>
                <strong>{t('row', { row })}</strong>{' '}
                {reasons.map(({ key, count }) => t(`reasons.${key}`, { count })).join(' · ')}
              </li>
            )
          })}
        </ul>
      ) : null}
      {run.errors.length > 0 ? <p className={classes.more}>{t('rowsHint')}</p> : null}
      {rest > 0 ? <p className={classes.more}>{t('moreErrors', { count: rest })}</p> : null}
      {run.failed_row_count > 0 ? (
        <p className={classes.download}>
          <a href={`/api/imports/${run.id}/failed-rows?language=${language}`} download>
            {t('download')}
          </a>{' '}
          {t('downloadHint')}
        </p>
      ) : null}
    </div>
  )
}
