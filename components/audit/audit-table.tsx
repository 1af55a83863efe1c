import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { NamedLine } from '@/lib/audit/schema'
import classes from './audit.module.css'
import { AuditChanges } from './audit-changes'

/** The lines of the log: when, who, what, and what it was before and after. */
export function AuditTable({ lines }: { lines: readonly NamedLine[] }) {
  const t = useTranslations('audit')
  const format = useFormatter()
  return (
    <DataTable caption={t('title')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.when')}</th>
          <th scope="col" data-wide>
            {t('columns.who')}
          </th>
          <th scope="col">{t('columns.what')}</th>
          <th scope="col" data-wide>
            {t('columns.changes')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const at = new Date(line.at)
          const key = `actions.${line.action}` as Parameters<typeof t.has>[0]
          return (
            <tr key={line.id}>
              <td className={classes.when}>
                <time dateTime={line.at}>
                  {format.dateTime(at, 'instantDate')}
                  <small>{format.dateTime(at, 'time')}</small>
                </time>
              </td>
              <td data-wide className={classes.who}>
                {who(line.actor)}
              </td>
              <td className={classes.what}>
                {t.has(key) ? t(key) : line.action}
                {line.subject ? <small>{line.subject}</small> : null}
                <small data-narrow>{who(line.actor)}</small>
                <div data-narrow>
                  <AuditChanges line={line} />
                </div>
              </td>
              <td data-wide>
                <AuditChanges line={line} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )

  function who(actor: string): string {
    return actor === 'system' || actor === 'database' ? t(`actors.${actor}`) : actor
  }
}
