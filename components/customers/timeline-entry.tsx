import {
  type Icon,
  IconCalendarEvent,
  IconHistory,
  IconMail,
  IconMessage,
  IconMessageHeart,
  IconMessages,
  IconTicket,
} from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { ScoreBadge } from '@/components/feedback/score-badge'
import { MessageStatusBadge } from '@/components/messages/message-status'
import { reasonText } from '@/components/messages/reason-text'
import { Badge, type BadgeTone, StatusBadge } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { Money } from '@/components/ui/money'
import { Note } from '@/components/ui/note'
import { VisitMark } from '@/components/ui/visit-mark'
import type { TimelineEvent, TimelineOf } from '@/lib/customers/timeline-schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './timeline.module.css'

function pictureOf(event: TimelineEvent): Icon {
  if (event.kind === 'message') return event.details.channel === 'email' ? IconMail : IconMessage
  return {
    reservation: IconCalendarEvent,
    ticket: IconTicket,
    feedback: IconMessageHeart,
    conversation: IconMessages,
    change: IconHistory,
  }[event.kind]
}

/** One event: date, kind and details. A reservation keeps the date and time of its location. */
export function TimelineEntry({ event, timeZone }: { event: TimelineEvent; timeZone: string | undefined }) {
  const t = useTranslations('customer.timeline')
  const format = useFormatter()
  const Picture = pictureOf(event)
  const local = event.kind === 'reservation' ? event.details : null
  const at = new Date(event.at)
  return (
    <li className={classes.event}>
      <span className={classes.picture} title={t(`one.${event.kind}`)}>
        <Picture size={16} stroke={1.7} role="img" aria-label={t(`one.${event.kind}`)} />
      </span>
      <time className={classes.time} dateTime={event.at}>
        {local
          ? format.dateTime(calendarDate(local.date), 'date')
          : format.dateTime(at, 'instantDate', { timeZone })}
        <small>
          {local?.time ??
            format.dateTime(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })}
        </small>
      </time>
      <div className={classes.what}>
        {event.kind === 'reservation' ? <TimelineReservation details={event.details} /> : null}
        {event.kind === 'message' ? <TimelineMessage details={event.details} timeZone={timeZone} /> : null}
        {event.kind === 'ticket' ? <TimelineTicket details={event.details} /> : null}
        {event.kind === 'feedback' ? <TimelineFeedback details={event.details} /> : null}
        {event.kind === 'conversation' ? <TimelineConversation details={event.details} /> : null}
        {event.kind === 'change' ? <TimelineChange details={event.details} /> : null}
      </div>
    </li>
  )
}

/** A reservation: location, party size, status. */
function TimelineReservation({ details }: Pick<TimelineOf<'reservation'>, 'details'>) {
  const t = useTranslations('customer.timeline')
  const { location, party_size: guests, status, notes } = details
  const amount = details.total_amount ?? details.estimated_amount
  const table = [details.zone_name, details.table_name].filter(Boolean).join(' · ')
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{location}</span>
        <span>
          <StatusBadge status={status} />
          <VisitMark reservation={details} />
        </span>
      </p>
      <p className={classes.more}>
        {t('guests', { count: guests })}
        {table ? ` · ${table}` : ''}
        {amount === null ? null : (
          <>
            {' · '}
            <Money value={amount} estimate={details.total_amount === null} />
          </>
        )}
      </p>
      <Note text={notes} />
    </>
  )
}

type MessageDetails = TimelineOf<'message'>['details']

/** A message: channel, automation, outcome and reason. */
function TimelineMessage({ details, timeZone }: { details: MessageDetails; timeZone: string | undefined }) {
  const t = useTranslations('customer.timeline')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  const { channel, reason, automation, subject, opened_at, clicked_at } = details
  const { suppression, filled_by, waits_until } = details
  const instant = (at: string) => format.dateTime(new Date(at), 'instant', { timeZone })
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{subject ?? automation ?? t(`messageKinds.${details.kind}`)}</span>
        <MessageStatusBadge message={details} />
      </p>
      <p className={classes.more}>
        {t(`channels.${channel}`)}
        {subject && automation ? ` · ${automation}` : ''}
        {reason ? ` · ${reasonText(reasons, reason)}` : ''}
        {suppression ? ` · ${t(`optOuts.${suppression}`)}` : ''}
        {filled_by ? ` · ${filledBy(filled_by)}` : ''}
        {waits_until ? ` · ${t('waitsUntil', { at: instant(waits_until) })}` : ''}
        {opened_at ? ` · ${t(clicked_at ? 'clickedAt' : 'openedAt')}` : ''}
      </p>
    </>
  )

  function filledBy({ name, at }: NonNullable<typeof filled_by>): string {
    return name ? t('filledBy', { name, at: instant(at) }) : t('filledByOther', { at: instant(at) })
  }
}

type TicketDetails = TimelineOf<'ticket'>['details']

const TICKET_TONES: Record<TicketDetails['status'], BadgeTone> = {
  open: 'amber',
  in_progress: 'blue',
  waiting: 'orange',
  resolved: 'green',
  closed: 'neutral',
}

/** A ticket about the customer: number, subject, status and priority. */
function TimelineTicket({ details }: { details: TicketDetails }) {
  const t = useTranslations('customer.timeline')
  const { number, subject, status, priority } = details
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{subject}</span>
        <Badge tone={TICKET_TONES[status]} dot>
          {t(`ticketStatus.${status}`)}
        </Badge>
      </p>
      <p className={classes.more}>{t('ticket', { number, priority: t(`priorities.${priority}`) })}</p>
    </>
  )
}

/** What the guest said about a visit: stars, words and the location. */
function TimelineFeedback({ details }: Pick<TimelineOf<'feedback'>, 'details'>) {
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{details.location}</span>
        <ScoreBadge score={details.score} />
      </p>
      {details.words ? <q className={classes.more}>{details.words}</q> : null}
    </>
  )
}

/** A text that the guest wrote, or our answer, with the way to the conversation. */
function TimelineConversation({ details }: Pick<TimelineOf<'conversation'>, 'details'>) {
  const t = useTranslations('customer.timeline')
  const kinds = useTranslations('conversations')
  const { conversation_id, channel: by, direction, text, media, sent_by } = details
  const channel = t(`channels.${by}`)
  const ours = sent_by ? t('answered', { name: sent_by, channel }) : t('weAnswered', { channel })
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{direction === 'in' ? t('wrote', { channel }) : ours}</span>
        <Link href={`/conversations/${conversation_id}`} prefetch={false}>
          {t('conversation')}
        </Link>
      </p>
      {text ? <q className={classes.more}>{text}</q> : null}
      {media || !text ? <p className={classes.more}>{kinds(media ? `media.${media}` : 'noText')}</p> : null}
    </>
  )
}

type ChangeDetails = TimelineOf<'change'>['details']

/** A change of the record: author and fields. The log keeps values only of consent. */
function TimelineChange({ details }: { details: ChangeDetails }) {
  const t = useTranslations('customer.timeline')
  const field = useTranslations('customer.timeline.fields')
  const label = useTranslations('client.guestFields')
  const { action, fields, actor, before, after } = details
  const key = `actions.${action.replace('customer.', '')}` as Parameters<typeof t.has>[0]
  const named = (fields ?? []).map((name) => {
    const ofGuest = name as Parameters<typeof label.has>[0]
    if (label.has(ofGuest)) return inSentence(label(ofGuest))
    const known = name as Parameters<typeof field.has>[0]
    return field.has(known) ? field(known) : name
  })
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{t.has(key) ? t(key) : action}</span>
      </p>
      <p className={classes.more}>{[named.join(', '), changed(), who()].filter(Boolean).join(' · ')}</p>
    </>
  )

  function changed(): string | null {
    if (after?.opted_out === false) return t('optOuts.lifted')
    if (after?.opted_out) {
      const known = `optOuts.${after.source}` as Parameters<typeof t.has>[0]
      return t.has(known) ? t(known) : null
    }
    if (!before?.basis || !after?.basis || before.basis === after.basis) return null
    return t('fromTo', { before: t(`bases.${before.basis}`), after: t(`bases.${after.basis}`) })
  }

  function who(): string {
    if (actor) return t('by', { actor })
    if (action === 'customer.wishes_changed') return t('byGuest')
    const source = after?.source ?? before?.source
    if (source === 'import') return t('byImport')
    if (source === 'bounce') return t('byProvider')
    return source && source !== 'manual' && source !== 'staff' ? t('byGuest') : t('bySystem')
  }
}

/** A label within a sentence. */
const inSentence = (label: string) => label.charAt(0).toLowerCase() + label.slice(1)
