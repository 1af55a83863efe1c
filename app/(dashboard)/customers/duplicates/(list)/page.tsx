import { IconUserCheck } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { DuplicateGroup } from '@/components/customers/duplicate-group'
import { MergeAll } from '@/components/customers/merge-all'
import { BackLink } from '@/components/ui/back-link'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listDuplicates } from '@/lib/customers/duplicates'
import { cursorPage } from '@/lib/http/page-address'

const address = cursorPage('/customers/duplicates')
const PAGE = 20

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('duplicates')
  return { title: t('title') }
}

/** Customers who are likely one person, to compare and merge. */
export default async function DuplicatesPage({ searchParams }: PageProps<'/customers/duplicates'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [groups, t] = await Promise.all([
    fromCursor(cursor, (from) => listDuplicates(session, { cursor: from, limit: PAGE })),
    getTranslations('duplicates'),
  ])
  return (
    <>
      <BackLink href="/customers">{t('back')}</BackLink>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        {groups.data.length > 0 ? <MergeAll /> : null}
        <LinkButton href="/customers/duplicates/different" prefetch={false}>
          {t('different.open')}
        </LinkButton>
      </PageHeader>
      <Panel title={t('list')} hideTitle flush>
        {groups.data.length > 0 ? (
          groups.data.map((group) => (
            <DuplicateGroup key={`${group.reason} ${group.customers[0]?.id}`} group={group} />
          ))
        ) : groups.next_cursor ? null : (
          <EmptyState icon={IconUserCheck} title={t('none')} text={t('noneText')}>
            <LinkButton href="/customers">{t('customers')}</LinkButton>
          </EmptyState>
        )}
        <Pager
          label={t('pages')}
          path={cursor}
          next={groups.next_cursor}
          hrefAt={(path) => address.href({ cursor: path })}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      </Panel>
    </>
  )
}
