import { IconClockHour4 } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { ListedReservation } from '@/lib/reservations/schema'
import { Arrival } from './arrival'
import classes from './arrivals.module.css'

interface ArrivalsProps {
  arrivals: readonly ListedReservation[]
  /** Whether the PMS was asked for today: only then does an empty list mean no arrivals. */
  known: boolean
  /** Whether names lead to the customer. */
  linked: boolean
}

/** Who comes next in the service under way. */
export function Arrivals({ arrivals, known, linked }: ArrivalsProps) {
  const t = useTranslations('home.arrivals')
  return (
    <Panel title={t('title')} flush={arrivals.length > 0}>
      {arrivals.length > 0 ? (
        <ul className={classes.list}>
          {arrivals.map((arrival) => (
            <Arrival key={arrival.id} arrival={arrival} linked={linked} />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={IconClockHour4}
          title={t(known ? 'none' : 'noData')}
          text={t(known ? 'noneText' : 'noDataText')}
        />
      )}
    </Panel>
  )
}
