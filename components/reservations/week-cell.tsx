import { useFormatter, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { Link } from '@/components/ui/link'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './week.module.css'
import type { DaySum } from './week-figures'

interface WeekCellProps {
  sum: DaySum
  /** How busy it is, from 0 to 1, as a ground of that strength. */
  heat?: number
  href?: string
}

/** Covers, and smaller the reservations and the no-shows; a dash when there was nothing. */
export function WeekCell({ sum, heat = 0, href }: WeekCellProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const { reservations, covers, no_shows } = sum
  const empty = reservations === 0 && no_shows === 0
  const content = (
    <>
      <span aria-hidden className={classes.figure}>
        {empty ? '–' : format.number(covers)}
        {empty ? null : <small>{t('reservations', { count: reservations })}</small>}
        {no_shows > 0 ? <small data-lost>{t('noShows', { count: no_shows })}</small> : null}
      </span>
      <VisuallyHidden>{t('cell', { reservations, covers, noShows: no_shows })}</VisuallyHidden>
    </>
  )
  const style = { '--heat': `${Math.round(heat * 100)}%` } as CSSProperties
  return href ? (
    <Link href={href} prefetch={false} className={classes.cell} style={style}>
      {content}
    </Link>
  ) : (
    <span className={classes.cell}>{content}</span>
  )
}
