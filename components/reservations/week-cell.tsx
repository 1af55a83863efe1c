import { useFormatter, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { Link } from '@/components/ui/link'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './week.module.css'
import { hasNoData, type KnownSum } from './week-figures'

interface WeekCellProps {
  sum: KnownSum
  /** How busy it is, from 0 to 1, as a ground of that strength. */
  heat?: number
  href?: string
}

/** Covers, and smaller the reservations and the no-shows; a dash when there was nothing, words when it is not known. */
export function WeekCell({ sum, heat = 0, href }: WeekCellProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const { reservations, covers, no_shows, known } = sum
  const noData = hasNoData(sum)
  const empty = reservations === 0 && no_shows === 0
  const content = noData ? (
    <span className={classes.unknown}>{t('noData')}</span>
  ) : (
    <>
      <span aria-hidden className={classes.figure}>
        {empty ? '–' : format.number(covers)}
        {empty ? null : <small>{t('reservations', { count: reservations })}</small>}
        {known === 'all' || empty ? null : <small>{t('partial')}</small>}
        {no_shows > 0 ? <small data-lost>{t('noShows', { count: no_shows })}</small> : null}
      </span>
      <VisuallyHidden>
        {t('cell', { reservations, covers, noShows: no_shows })}
        {known === 'all' ? null : `, ${t('partial')}`}
      </VisuallyHidden>
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
