import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { count } from '@/components/ui/service-count'
import { STATUS_TONES } from '@/components/ui/status-badge'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import classes from './location-shares.module.css'

/** The states a location's reservations are in, as labels: the phone's form of the table's columns. */
export function LocationShares({ figures }: { figures: readonly ServiceFigure[] }) {
  const t = useTranslations('status.counted')
  const format = useFormatter()
  return (
    <span className={classes.shares}>
      {RESERVATION_STATUSES.map((status) => {
        const { reservations, covers } = count(figures, [status])
        return reservations > 0 ? (
          <Badge key={status} tone={STATUS_TONES[status]}>
            {t(status, { count: reservations })} · {format.number(covers)}
          </Badge>
        ) : null
      })}
    </span>
  )
}
