import { IconCalendarOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { Link } from '@/components/ui/link'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { customerTimeline } from '@/lib/customers/timeline'
import type { TimelineKind } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'
import { TimelineEntry } from './timeline-entry'
import { type TimelineQuery, timelineHref } from './timeline-query'

interface TimelinePanelProps extends TimelineQuery {
  session: Session
  /** The kinds that the person may read. */
  kinds: readonly TimelineKind[]
  /** The zone of the customer's location. */
  timeZone: string | undefined
}

/** Everything that happened with a customer, the latest first. */
export async function TimelinePanel({
  session,
  kinds,
  timeZone,
  customerId,
  show,
  cursor,
}: TimelinePanelProps) {
  const t = await getTranslations('customer.timeline')
  const events = await fromCursor(cursor, (from) =>
    customerTimeline(session, customerId, { kinds: show && [show], cursor: from }),
  )
  const first = timelineHref({ customerId, show })
  return (
    <Panel title={t('title')} flush>
      <ul className={classes.kinds} aria-label={t('filter')}>
        {[undefined, ...kinds].map((kind) => (
          <li key={kind ?? ''}>
            <Link
              href={timelineHref({ customerId, show: kind })}
              scroll={false}
              prefetch={false}
              className={classes.kind}
              aria-current={show === kind ? 'true' : undefined}
            >
              {t(`kinds.${kind ?? 'all'}`)}
            </Link>
          </li>
        ))}
      </ul>
      {events.data.length > 0 ? (
        <ol className={classes.events} aria-label={t('title')}>
          {events.data.map((event) => (
            <TimelineEntry key={event.id} event={event} timeZone={timeZone} />
          ))}
        </ol>
      ) : (
        <EmptyState icon={IconCalendarOff} title={t(`none.${show ?? 'all'}`)} text={t('noneText')} />
      )}
      <Pager
        label={t('pages')}
        first={cursor ? { href: first, text: t('latest') } : null}
        next={
          events.next_cursor
            ? { href: timelineHref({ customerId, show }, events.next_cursor), text: t('earlier') }
            : null
        }
      />
    </Panel>
  )
}
