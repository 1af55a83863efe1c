import { IconUsersGroup } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { DifferentPair } from '@/components/customers/different-pair'
import { BackLink } from '@/components/ui/back-link'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listPairs } from '@/lib/customers/duplicates'
import { cursorPage } from '@/lib/http/page-address'

const address = cursorPage('/customers/duplicates/different')
const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('duplicates.different')
  return { title: t('title') }
}

/** Pairs of customers that staff marked as different people, each with a button to undo that. */
export default async function DifferentPage({ searchParams }: PageProps<'/customers/duplicates/different'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [pairs, t] = await Promise.all([
    fromCursor(cursor, (from) => listPairs(session, { cursor: from, limit: PAGE })),
    getTranslations('duplicates'),
  ])
  return (
    <>
      <BackLink href="/customers/duplicates">{t('title')}</BackLink>
      <PageHeader title={t('different.title')} subtitle={t('different.subtitle')} />
      <Panel title={t('different.list')} hideTitle flush>
        {pairs.data.length > 0 ? (
          pairs.data.map((pair) => <DifferentPair key={pair.id} pair={pair} />)
        ) : (
          <EmptyState icon={IconUsersGroup} title={t('different.none')} text={t('different.noneText')}>
            <LinkButton href="/customers/duplicates">{t('title')}</LinkButton>
          </EmptyState>
        )}
        <Pager
          label={t('different.pages')}
          path={cursor}
          next={pairs.next_cursor}
          hrefAt={(path) => address.href({ cursor: path })}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      </Panel>
    </>
  )
}
