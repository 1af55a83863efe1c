import { IconFileImport } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { FilesImport } from '@/components/imports/files-import'
import { FilesTable } from '@/components/imports/files-table'
import { ImportForm } from '@/components/imports/import-form'
import { ImportsTable } from '@/components/imports/imports-table'
import classes from '@/components/imports/imports-table.module.css'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { env } from '@/lib/env'
import { cursorPage } from '@/lib/http/page-address'
import { findFiles } from '@/lib/imports/import-files'
import { listImports } from '@/lib/imports/import-log'
import { listLocations } from '@/lib/locations/locations'

const address = cursorPage('/settings/import')
const PAGE = 20

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('import') }
}

/** Customers from a CSV file, and the imports so far. */
export default async function ImportPage({ searchParams }: PageProps<'/settings/import'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [locations, imports, t] = await Promise.all([
    listLocations(session),
    fromCursor(cursor, (after) => listImports(session, { cursor: after, limit: PAGE })),
    getTranslations('settings.import'),
  ])
  const folder = await findFiles(locations)
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <Panel title={t('new')}>
          <ImportForm
            locations={locations.map(({ id, name }) => ({ value: id, label: name }))}
            maxMb={env().UPLOAD_MB}
          />
        </Panel>
        {folder && folder.files.length > 0 ? (
          <Panel title={t('files.title')}>
            <div className={classes.files}>
              <p>
                {t('files.text')} {t('files.where', { directory: folder.directory })}
              </p>
              <FilesTable files={folder.files} />
              <FilesImport files={folder.files} />
            </div>
          </Panel>
        ) : null}
        <Panel title={t('past')} flush>
          {imports.data.length > 0 ? (
            <ImportsTable
              imports={imports.data}
              locations={new Map(locations.map(({ id, name }) => [id, name]))}
            />
          ) : (
            <EmptyState icon={IconFileImport} title={t('none')} text={t('noneText')} />
          )}
          <Pager
            label={t('pages')}
            path={cursor}
            next={imports.next_cursor}
            hrefAt={(path) => address.href({ cursor: path })}
            texts={{ first: t('firstPage'), next: t('nextPage') }}
          />
        </Panel>
      </Panels>
    </>
  )
}
