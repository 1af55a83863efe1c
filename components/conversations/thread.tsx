import { useFormatter, useTranslations } from 'next-intl'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import { MessageStatusBadge } from '@/components/messages/message-status'
import { reasonText } from '@/components/messages/reason-text'
import { BackLink } from '@/components/ui/back-link'
import { ClientTexts } from '@/components/ui/client-texts'
import { CustomerLink } from '@/components/ui/customer-link'
import { Link } from '@/components/ui/link'
import type { ConversationText, ConversationWithTexts } from '@/lib/conversations/schema'
import classes from './conversations.module.css'
import { MarkRead } from './mark-read'
import { ReplyBox } from './reply-box'

interface ThreadProps {
  conversation: ConversationWithTexts
  /** The address of the texts before these; null: there are none. */
  earlier: string | null
  /** The address of the latest texts, when these are earlier ones. */
  latest: string | null
}

/** A conversation: who it is with, the texts of both sides, and the box to answer. */
export function Thread({ conversation, earlier, latest }: ThreadProps) {
  const t = useTranslations('conversations')
  const { id, customer_id, customer_name, channel, address, allergies, texts, unread } = conversation
  return (
    <section className={classes.thread} aria-labelledby="thread">
      <div className={classes.narrowOnly}>
        <BackLink href="/conversations">{t('title')}</BackLink>
      </div>
      <header className={classes.with}>
        <h2 id="thread">
          {customer_name ? <CustomerLink id={customer_id} name={customer_name} /> : address}
        </h2>
        <p>{[t(`channels.${channel}`), customer_name && address].filter(Boolean).join(' · ')}</p>
        {customer_id ? null : <p>{t('stranger')}</p>}
        <AllergiesByCode codes={allergies} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className={classes.scroll} aria-label={t('texts')} tabIndex={0}>
        <div>
          {earlier ? (
            <p className={classes.step}>
              <Link href={earlier} prefetch={false}>
                {t('earlierTexts')}
              </Link>
            </p>
          ) : null}
          <ol className={classes.texts}>
            {texts.map((text) => (
              <Said key={text.id} text={text} />
            ))}
          </ol>
          {latest ? (
            <p className={classes.step}>
              <Link href={latest} prefetch={false}>
                {t('latestTexts')}
              </Link>
            </p>
          ) : null}
        </div>
      </section>
      <ClientTexts features={['conversations']}>
        <ReplyBox id={id} channel={channel} obstacle={conversation.reply_obstacle} />
        {unread > 0 ? <MarkRead id={id} unread={unread} /> : null}
      </ClientTexts>
    </section>
  )
}

/** A text of either side, with what became of ours. */
function Said({ text: one }: { text: ConversationText }) {
  const t = useTranslations('conversations')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  const { direction, text, media, at, sent_by, ticket_id, status, reason, simulated } = one
  const about = [
    direction === 'out' ? (sent_by ?? t('somebody')) : null,
    format.dateTime(new Date(at), 'instant'),
    reason ? reasonText(reasons, reason) : null,
  ]
  return (
    <li className={classes.said} data-direction={direction}>
      {text ? <p className={classes.text}>{text}</p> : null}
      {media || !text ? <p className={classes.media}>{t(media ? `media.${media}` : 'noText')}</p> : null}
      <p className={classes.about}>
        {about.filter(Boolean).join(' · ')}
        {status ? <MessageStatusBadge message={{ status, simulated }} /> : null}
        {ticket_id ? (
          <Link href={`/tickets/${ticket_id}`} prefetch={false}>
            {t('ticket')}
          </Link>
        ) : null}
      </p>
    </li>
  )
}
