import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { type Habits, noShowRate, waitInWords } from '@/lib/customers/habits'
import { calendarDate } from '@/lib/i18n/formats'
import { reservationsPage } from '@/lib/reservations/filters'
import classes from './customer-habits.module.css'

/** The next reservation and the habits of a customer. Renders only what is known. */
export function CustomerHabits({ habits }: { habits: Habits }) {
  const t = useTranslations('customer.habits')
  const texts = useTranslations('reservation')
  const format = useFormatter()
  const { usual_location: place, usual_table: table, usual_table_location: tablePlace } = habits
  const rate = noShowRate(habits)
  const weekday = habits.usual_weekday && format.dateTime(dayOf(habits.usual_weekday), WEEKDAY)
  const known: [name: string, value: ReactNode][] = [
    [t('next'), nextOf()],
    [t('place'), [place, weekday].filter(Boolean).join(' · ')],
    [t('rhythm'), rhythmOf()],
    [t('table'), table && [table, tablePlace === place ? null : tablePlace].filter(Boolean).join(' · ')],
    [t('noShows'), rate === null ? null : t('noShowsOf', { rate, past: habits.past })],
  ]
  const shown = known.filter(([, value]) => value)
  if (shown.length === 0) return null
  return (
    <section aria-label={t('label')}>
      <dl className={classes.habits}>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )

  function rhythmOf(): ReactNode {
    const { usual_days: usual, rhythm, return_probability: probability } = habits
    if (usual === null || probability === null) return rhythm && t('states.unknown')
    const { unit, count } = waitInWords(usual)
    return [
      t(`every.${unit}`, { count }),
      (rhythm === 'at_risk' || rhythm === 'lost') && t(`states.${rhythm}`),
      // Rounding would show 0 % or 100 %, but no forecast is certain.
      t('returns', { probability: Math.min(0.99, Math.max(0.01, probability)) }),
    ]
      .filter(Boolean)
      .join(' · ')
  }

  function nextOf(): ReactNode {
    const { next_reservation: id, next_date: date, next_service_date: day, next_party_size: count } = habits
    if (!id || !date || !day || !count) return null
    const href = reservationsPage.href({
      date: day,
      location_id: habits.next_location_id ?? undefined,
      reservation: id,
    })
    const when = `${format.dateTime(calendarDate(date), 'shortDate')}, ${habits.next_time}`
    return (
      <Link key="next" href={href} prefetch={false} className={classes.link}>
        {[when, habits.next_location, texts('party', { count })].filter(Boolean).join(' · ')}
      </Link>
    )
  }
}

const WEEKDAY = { weekday: 'long', timeZone: 'UTC' } as const
/** Returns a date of that weekday, 1 (Monday) to 7: 1 January 2024 was a Monday. */
const dayOf = (weekday: number) => calendarDate(`2024-01-0${weekday}`)
