import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import type { FoundFile } from '@/lib/imports/import-files'
import classes from './imports-table.module.css'

/** The files of the locations, and whether each exists. */
export function FilesTable({ files }: { files: readonly FoundFile[] }) {
  const t = useTranslations('settings.import.files')
  return (
    <DataTable caption={t('title')}>
      <thead>
        <tr>
          <th scope="col">{t('file')}</th>
          <th scope="col" data-wide>
            {t('location')}
          </th>
          <th scope="col">{t('state')}</th>
        </tr>
      </thead>
      <tbody>
        {files.map(({ file, location, found }) => (
          <tr key={file}>
            <th scope="row" className={classes.file}>
              {file}
              <small data-narrow>{location}</small>
            </th>
            <td data-wide>{location}</td>
            <td>
              <Badge tone={found ? 'green' : 'neutral'} dot>
                {t(found ? 'found' : 'missing')}
              </Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}
