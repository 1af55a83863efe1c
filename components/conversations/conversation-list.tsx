import { IconMessages } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'
import { Pager } from '@/components/ui/pager'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { conversationsPage } from '@/lib/conversations/filters'
import type { Conversation } from '@/lib/conversations/schema'
import { shownName } from '@/lib/customers/person-name'
import classes from './conversations.module.css'

interface ConversationListProps {
  conversations: readonly Conversation[]
  /** The one that is open. */
  openId?: string
  unread?: 'true' | 'false'
  cursor?: string
  next: string | null
}

/** The conversations, the latest first; those with something to read are bold. */
export function ConversationList({ conversations, openId, unread, cursor, next }: ConversationListProps) {
  const t = useTranslations('conversations')
  return (
    <>
      <ul className={classes.filters} aria-label={t('filter')}>
        {([undefined, 'true'] as const).map((only) => (
          <li key={only ?? ''}>
            <Link
              href={conversationsPage(openId).href({ unread: only })}
              scroll={false}
              className={classes.filter}
              aria-current={unread === only ? 'true' : undefined}
            >
              {t(only ? 'onlyUnread' : 'all')}
            </Link>
          </li>
        ))}
      </ul>
      {conversations.length > 0 ? (
        <ul className={classes.rows}>
          {conversations.map((one) => (
            <li key={one.id}>
              <Row
                one={one}
                open={one.id === openId}
                href={conversationsPage(one.id).href({ unread, cursor })}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={IconMessages}
          title={t(unread ? 'nothingUnread' : 'none')}
          text={t(unread ? 'nothingUnreadText' : 'noneText')}
        />
      )}
      <Pager
        label={t('pages')}
        path={cursor}
        next={next}
        hrefAt={(path) => conversationsPage(openId).href({ unread, cursor: path })}
        texts={{ first: t('latestPage'), next: t('earlierPage') }}
      />
    </>
  )
}

/** A conversation in one look: who, when, the last words, and how much is unread. */
function Row({ one, open, href }: { one: Conversation; open: boolean; href: string }) {
  const t = useTranslations('conversations')
  const format = useFormatter()
  const words = one.last_text ?? t(one.last_media ? `media.${one.last_media}` : 'noText')
  return (
    <Link
      href={href}
      prefetch={false}
      className={classes.row}
      data-unread={one.unread > 0 || undefined}
      aria-current={open ? 'true' : undefined}
    >
      <span className={classes.who}>
        {one.customer_name ? shownName(one.customer_name) : one.address}
        {one.unread > 0 ? (
          <span className={classes.count}>
            {one.unread}
            <VisuallyHidden>{t('unread', { count: one.unread })}</VisuallyHidden>
          </span>
        ) : null}
      </span>
      <span className={classes.words}>{one.last_direction === 'out' ? t('ours', { words }) : words}</span>
      <span className={classes.when}>
        {t(`channels.${one.channel}`)} · {format.dateTime(new Date(one.last_at), 'instant')}
      </span>
      <AllergiesByCode codes={one.allergies} />
    </Link>
  )
}
