import { IconKey } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { CreateToken, RevokeToken } from '@/components/tokens/token-actions'
import { TokensTable } from '@/components/tokens/tokens-table'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { env } from '@/lib/env'
import { addressedHost, isHttps } from '@/lib/http/origin'
import { cursorPage } from '@/lib/http/page-address'
import { listLocations } from '@/lib/locations/locations'
import { MACHINE_PERMISSIONS } from '@/lib/permissions'
import { exampleRequest } from '@/lib/tokens/schema'
import { listTokens } from '@/lib/tokens/tokens'
import classes from './page.module.css'

const address = cursorPage('/settings/tokens')
const PAGE = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('tokens') }
}

/** The API tokens: their permissions, locations, expiry and last use. */
export default async function TokensPage({ searchParams }: PageProps<'/settings/tokens'>) {
  const session = await pageSessionWith('canManageTeam')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [tokens, locations, t, asked] = await Promise.all([
    fromCursor(cursor, (after) => listTokens(session, { cursor: after, limit: PAGE })),
    listLocations(session),
    getTranslations('settings.tokens'),
    headers(),
  ])
  const now = new Date()
  const origin = env().PUBLIC_URL || `${isHttps(asked) ? 'https' : 'http'}://${addressedHost(asked)}`
  const choices = {
    permissions: MACHINE_PERMISSIONS.filter(session.can),
    locations: locations.map(({ id, name }) => ({ value: id, label: name })),
  }
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <CreateToken {...choices} />
      </PageHeader>
      <Panel title={t('list')} flush hideTitle>
        {tokens.data.length > 0 ? (
          <TokensTable
            rows={tokens.data}
            now={now}
            locations={new Map(locations.map(({ id, name }) => [id, name]))}
            end={({ id, name }) => <RevokeToken id={id} name={name} />}
          />
        ) : (
          <EmptyState icon={IconKey} title={t('none')} text={t('noneText')}>
            <code className={classes.example}>{exampleRequest(origin)}</code>
          </EmptyState>
        )}
        <Pager
          label={t('pages')}
          path={cursor}
          next={tokens.next_cursor}
          hrefAt={(path) => address.href({ cursor: path })}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      </Panel>
    </>
  )
}
