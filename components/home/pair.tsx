import { useFormatter, useTranslations } from 'next-intl'
import type { Count } from '@/components/ui/service-count'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './pair.module.css'

/** Reservations and, smaller, the covers they bring; a dash when there are none. */
export function Pair({ reservations, covers, strong = false }: Count & { strong?: boolean }) {
  const t = useTranslations('home.locations')
  const format = useFormatter()
  return (
    <span
      className={classes.pair}
      data-none={reservations === 0 || undefined}
      data-strong={strong || undefined}
    >
      <span aria-hidden>
        {reservations === 0 ? '–' : format.number(reservations)}
        <span className={classes.covers}>{reservations === 0 ? '' : format.number(covers)}</span>
      </span>
      <VisuallyHidden>{t('pair', { reservations, covers })}</VisuallyHidden>
    </span>
  )
}
