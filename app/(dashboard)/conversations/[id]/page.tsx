import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Inbox } from '@/components/conversations/inbox'
import { Thread } from '@/components/conversations/thread'
import { fromCursor } from '@/components/ui/from-cursor'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { conversationsPage } from '@/lib/conversations/filters'
import { getConversation } from '@/lib/conversations/reads'
import { stepOn } from '@/lib/http/cursor-path'
import { HttpError } from '@/lib/http/errors'
import { isUuid } from '@/lib/uuid'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('conversations') }
}

/** A conversation, beside the list. */
export default async function ConversationPage({ params, searchParams }: PageProps<'/conversations/[id]'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const { id } = await params
  if (!isUuid(id)) notFound()
  const address = conversationsPage(id)
  const { earlier, ...list } = address.read(await searchParams)
  const conversation = await fromCursor(earlier, (cursor) => getConversation(session, id, { cursor })).catch(
    (error: unknown) => {
      if (error instanceof HttpError && error.code === 'NOT_FOUND') notFound()
      throw error
    },
  )
  const before = conversation.earlier_cursor
  return (
    <Inbox session={session} query={list} openId={id}>
      <Thread
        key={id}
        conversation={conversation}
        earlier={before && address.href({ ...list, earlier: stepOn(earlier, before) })}
        latest={earlier ? address.href(list) : null}
      />
    </Inbox>
  )
}
