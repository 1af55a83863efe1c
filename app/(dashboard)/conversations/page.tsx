import { IconMessages } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import classes from '@/components/conversations/conversations.module.css'
import { Inbox } from '@/components/conversations/inbox'
import { EmptyState } from '@/components/ui/empty-state'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { conversationsPage } from '@/lib/conversations/filters'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('conversations') }
}

/** The reply inbox: what guests and strangers wrote. */
export default async function ConversationsPage({ searchParams }: PageProps<'/conversations'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const t = await getTranslations('conversations')
  return (
    <Inbox session={session} query={conversationsPage().read(await searchParams)}>
      <div className={classes.choose}>
        <EmptyState icon={IconMessages} title={t('choose')} text={t('chooseText')} />
      </div>
    </Inbox>
  )
}
