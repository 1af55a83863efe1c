import { IconCalendarOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { z } from 'zod'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { Link } from '@/components/ui/link'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { customerTimeline } from '@/lib/customers/timeline'
import type { TimelineKind } from '@/lib/customers/timeline-schema'
import { cursorField, pageAddress, type Query } from '@/lib/http/page-address'
import classes from './timeline.module.css'
import { TimelineEntry } from './timeline-entry'

interface TimelinePanelProps {
  session: Session
  customerId: string
  /** The kinds of events that the person may read. */
  kinds: readonly TimelineKind[]
  /** The time zone of the customer's location. */
  timeZone: string | undefined
  /** The page's parameters: the kind shown, and the cursor. */
  query: Query
}

/** Everything that happened with a customer, newest first. */
export async function TimelinePanel({ session, customerId, kinds, timeZone, query }: TimelinePanelProps) {
  const t = await getTranslations('customer.timeline')
  const fields = z.object({ kind: z.enum(kinds).optional(), cursor: cursorField })
  const address = pageAddress(`/customers/${customerId}`, fields)
  const { kind: shown, cursor } = address.read(query)
  const events = await fromCursor(cursor, (from) =>
    customerTimeline(session, customerId, { kinds: shown && [shown], cursor: from }),
  )
  return (
    <Panel title={t('title')} flush>
      <ul className={classes.kinds} aria-label={t('filter')}>
        {[undefined, ...kinds].map((kind) => (
          <li key={kind ?? ''}>
            <Link
              href={address.href({ kind })}
              scroll={false}
              prefetch={false}
              className={classes.kind}
              aria-current={shown === kind ? 'true' : undefined}
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
        <EmptyState icon={IconCalendarOff} title={t(`none.${shown ?? 'all'}`)} text={t('noneText')} />
      )}
      <Pager
        label={t('pages')}
        path={cursor}
        next={events.next_cursor}
        hrefAt={(path) => address.href({ kind: shown, cursor: path })}
        texts={{ first: t('latest'), next: t('earlier') }}
      />
    </Panel>
  )
}
