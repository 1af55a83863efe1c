'use client'
import { useTranslations } from 'next-intl'
import type { Chosen } from './column-mapping'
import classes from './file-preview.module.css'
import type { Preview } from './read-preview'

/** The beginning of the chosen file, and what each of its columns will become. */
export function FilePreview({ preview, chosen }: { preview: Preview; chosen: Chosen }) {
  const t = useTranslations('client.import')
  const columns = preview.columns.map(({ name, field }) => ({ name, field: field ?? chosen[name] ?? null }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <section className={classes.frame} aria-label={t('preview')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ name, field }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name and never move
              <th key={index} scope="col" data-ignored={field === null || undefined}>
                {name}
                <small>{t(`columns.${field ?? 'ignored'}`)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own and never move
            <tr key={line}>
              {columns.map(({ field }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={index} data-ignored={field === null || undefined}>
                  {row[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
