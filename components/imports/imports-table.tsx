import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import type { Import, ImportStatus } from '@/lib/imports/schema'
import classes from './imports-table.module.css'

const TONES: Record<ImportStatus, BadgeTone> = {
  running: 'blue',
  succeeded: 'green',
  partial: 'amber',
  failed: 'red',
  cancelled: 'neutral',
}

interface ImportsTableProps {
  imports: readonly Import[]
  /** Names of locations by their id. */
  locations: ReadonlyMap<string, string>
}

/** The imports so far. */
export function ImportsTable({ imports, locations }: ImportsTableProps) {
  const t = useTranslations('settings.import')
  const format = useFormatter()
  const language = useLocale()
  return (
    <DataTable caption={t('past')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.file')}</th>
          <th scope="col" data-wide="md">
            {t('columns.location')}
          </th>
          <th scope="col" data-wide>
            {t('columns.when')}
          </th>
          <th scope="col">{t('columns.status')}</th>
          <th scope="col" data-wide>
            {t('columns.result')}
          </th>
        </tr>
      </thead>
      <tbody>
        {imports.map((run) => {
          const when = format.dateTime(new Date(run.started_at), 'instant')
          const { imported, created, updated, repeated } = run
          const result = t('result', { imported, created, updated, repeated })
          return (
            <tr key={run.id}>
              <th scope="row" className={classes.file}>
                {run.file_name}
                <small data-narrow>
                  {when} · {result}
                </small>
                {run.failed_row_count > 0 ? (
                  <a
                    href={`/api/imports/${run.id}/failed-rows?language=${language}`}
                    download
                    className={classes.download}
                  >
                    {t('download', { count: run.failed_row_count })}
                  </a>
                ) : null}
              </th>
              <td data-wide="md">{locations.get(run.location_id ?? '') ?? t('noLocation')}</td>
              <td data-wide data-nowrap>
                {when}
              </td>
              <td>
                <Badge tone={TONES[run.status]} dot>
                  {t(`status.${run.status}`)}
                </Badge>
              </td>
              <td data-wide>{result}</td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
