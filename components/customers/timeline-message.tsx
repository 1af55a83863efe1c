import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { TimelineOf } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'

type Details = TimelineOf<'message'>['details']

const TONES: Record<Details['status'], BadgeTone> = {
  queued: 'neutral',
  sending: 'blue',
  sent: 'blue',
  delivered: 'green',
  failed: 'red',
  skipped: 'amber',
  unknown: 'orange',
}

/** A message: by which channel, of which automation, what became of it and why. */
export function TimelineMessage({ details }: { details: Details }) {
  const t = useTranslations('customer.timeline')
  const { channel, status, reason, automation, subject } = details
  const simulated = details.simulated && (status === 'sent' || status === 'delivered')
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{subject ?? automation ?? t(`messageKinds.${details.kind}`)}</span>
        <Badge tone={simulated ? 'neutral' : TONES[status]} dot>
          {simulated ? t('simulated') : t(`messageStatus.${status}`)}
        </Badge>
      </p>
      <p className={classes.more}>
        {t(`channels.${channel}`)}
        {subject && automation ? ` · ${automation}` : ''}
        {reason ? ` · ${reasonText(t, reason)}` : ''}
      </p>
    </>
  )
}

// Ours are codes with a sentence; what a provider said stands as it came.
function reasonText(t: ReturnType<typeof useTranslations<'customer.timeline'>>, reason: string): string {
  const key = `reasons.${reason}` as Parameters<typeof t.has>[0]
  return /^[a-z_]+$/.test(reason) && t.has(key) ? t(key) : reason
}
