import { useTranslations } from 'next-intl'
import type { ReservationStatus } from '@/lib/pms/status'
import { Badge, type BadgeTone } from './badge'

export const STATUS_TONES: Record<ReservationStatus, BadgeTone> = {
  pending: 'amber',
  confirmed: 'blue',
  seated: 'green',
  completed: 'neutral',
  cancelled: 'red',
  no_show: 'orange',
}

/** The state of a reservation in words. */
export function StatusBadge({ status }: { status: ReservationStatus }) {
  const t = useTranslations('status.one')
  return (
    <Badge tone={STATUS_TONES[status]} dot>
      {t(status)}
    </Badge>
  )
}
