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
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { Panels } from '@/components/ui/panels'
import { href, param } from '@/components/ui/query'
import { pageSessionWith } from '@/lib/auth/page-session'
import { findFiles } from '@/lib/imports/find-files'
import { listImports } from '@/lib/imports/list-imports'
import { listLocations } from '@/lib/organization/list-locations'

const PAGE = 20

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('import') }
}

/** Customers from a CSV file, and the imports so far. */
export default async function ImportPage({ searchParams }: PageProps<'/settings/import'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const cursor = param(await searchParams, 'cursor', 1000) || undefined
  const [locations, { directory, files }, imports, t] = await Promise.all([
    listLocations(session),
    findFiles(),
    fromCursor(cursor, (after) => listImports(session, { cursor: after, limit: PAGE })),
    getTranslations('settings.import'),
  ])
  const names = new Set(locations.map(({ name }) => name))
  const next = imports.next_cursor && href('/settings/import', { cursor: imports.next_cursor })
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <Panel title={t('new')}>
          <ImportForm locations={locations.map(({ id, name }) => ({ value: id, label: name }))} />
        </Panel>
        <Panel title={t('files.title')}>
          <div className={classes.files}>
            <p>
              {t('files.text')} {directory ? t('files.where', { directory }) : t('files.root')}
            </p>
            <FilesTable files={files} locations={names} />
            <FilesImport found={files.filter(({ found, location }) => found && names.has(location)).length} />
          </div>
        </Panel>
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
            first={cursor ? { href: '/settings/import', text: t('firstPage') } : null}
            next={next ? { href: next, text: t('nextPage') } : null}
          />
        </Panel>
      </Panels>
    </>
  )
}
