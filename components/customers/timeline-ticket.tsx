import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { TimelineOf } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'

type Details = TimelineOf<'ticket'>['details']

const TONES: Record<Details['status'], BadgeTone> = {
  open: 'amber',
  in_progress: 'blue',
  waiting: 'orange',
  resolved: 'green',
  closed: 'neutral',
}

/** A ticket about the customer: its number, subject, state and priority. */
export function TimelineTicket({ details }: { details: Details }) {
  const t = useTranslations('customer.timeline')
  const { number, subject, status, priority } = details
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{subject}</span>
        <Badge tone={TONES[status]} dot>
          {t(`ticketStatus.${status}`)}
        </Badge>
      </p>
      <p className={classes.more}>{t('ticket', { number, priority: t(`priorities.${priority}`) })}</p>
    </>
  )
}
