import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { fromCursor } from '@/components/ui/from-cursor'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { listConversations } from '@/lib/conversations/reads'
import { ConversationList } from './conversation-list'
import classes from './conversations.module.css'

interface InboxProps {
  session: Session
  query: { unread?: 'true' | 'false'; cursor?: string }
  /** The conversation that is open; on a phone it is shown instead of the list. */
  openId?: string
  children: ReactNode
}

/** The list of conversations, and beside it one of them. */
export async function Inbox({ session, query: { unread, cursor }, openId, children }: InboxProps) {
  const t = await getTranslations('conversations')
  const found = await fromCursor(cursor, (from) => listConversations(session, { unread, cursor: from }))
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} tight />
      <div className={classes.inbox} data-open={openId !== undefined || undefined}>
        <div className={classes.list}>
          <Panel title={t('list')} flush hideTitle>
            <ConversationList
              conversations={found.data}
              openId={openId}
              unread={unread}
              cursor={cursor}
              next={found.next_cursor}
            />
          </Panel>
        </div>
        <div className={classes.pane}>{children}</div>
      </div>
    </>
  )
}
