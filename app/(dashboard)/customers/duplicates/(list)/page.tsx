import { IconUserCheck } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { BackLink } from '@/components/customers/back-link'
import { DuplicateGroup } from '@/components/customers/duplicate-group'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { href, param } from '@/components/ui/query'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listDuplicates } from '@/lib/customers/list-duplicates'

const PATH = '/customers/duplicates'
const PAGE = 20
const MAX_CURSOR = 12_000

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('duplicates')
  return { title: t('title') }
}

/** Customers who are likely one person, to compare and merge. */
export default async function DuplicatesPage({ searchParams }: PageProps<'/customers/duplicates'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const cursor = param(await searchParams, 'cursor', MAX_CURSOR) || undefined
  const [groups, t] = await Promise.all([
    fromCursor(cursor, (from) => listDuplicates(session, { cursor: from, limit: PAGE })),
    getTranslations('duplicates'),
  ])
  const next = groups.next_cursor && href(PATH, { cursor: groups.next_cursor })
  return (
    <>
      <BackLink href="/customers">{t('back')}</BackLink>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panel title={t('list')} hideTitle flush>
        {groups.data.length > 0 ? (
          groups.data.map((group) => (
            <DuplicateGroup key={`${group.reason} ${group.customers[0]?.id}`} group={group} />
          ))
        ) : (
          <EmptyState icon={IconUserCheck} title={t('none')} text={t('noneText')}>
            <LinkButton href="/customers">{t('customers')}</LinkButton>
          </EmptyState>
        )}
        <Pager
          label={t('pages')}
          first={cursor ? { href: PATH, text: t('firstPage') } : null}
          next={next ? { href: next, text: t('nextPage') } : null}
        />
      </Panel>
    </>
  )
}
