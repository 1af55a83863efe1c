import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { LookCard } from '@/components/email-design/look-card'
import { BackLink } from '@/components/ui/back-link'
import { ClientTexts } from '@/components/ui/client-texts'
import { fromCursor } from '@/components/ui/from-cursor'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { boundTo } from '@/lib/auth/session'
import { listBrands } from '@/lib/brands/brands'
import { listLooks } from '@/lib/email-design/looks'
import { cursorPage } from '@/lib/http/page-address'

const address = cursorPage('/campaigns/look')
const PAGE = 20

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('campaigns.look')
  return { title: t('title') }
}

/** How the e-mails of the group and of each brand look, for marketing to change. */
export default async function LooksPage({ searchParams }: PageProps<'/campaigns/look'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [brands, looks, bound, t, campaigns] = await Promise.all([
    fromCursor(cursor, (after) => listBrands(session, { cursor: after, limit: PAGE })),
    listLooks(session),
    boundTo(session),
    getTranslations('campaigns.look'),
    getTranslations('campaigns'),
  ])
  const group = { id: null, name: session.organization.name }
  const may = { change: bound === null, address: session.can('canViewSettings') }
  return (
    <ClientTexts features={['campaigns', 'emailDesign']}>
      <BackLink href="/campaigns">{campaigns('title')}</BackLink>
      <PageHeader
        title={t('title')}
        subtitle={may.change ? t('subtitle') : `${t('subtitle')}. ${t('bound')}`}
      />
      <Panels>
        {[...(cursor ? [] : [group]), ...brands.data].map(({ id, name }) => (
          <LookCard key={id ?? 'group'} brandId={id} name={name} group={group.name} looks={looks} may={may} />
        ))}
      </Panels>
      <Pager
        label={t('pages')}
        path={cursor}
        next={brands.next_cursor}
        hrefAt={(path) => address.href({ cursor: path })}
        texts={{ first: campaigns('firstPage'), next: campaigns('nextPage') }}
      />
    </ClientTexts>
  )
}
