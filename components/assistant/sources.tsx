import {
  IconBuildingStore,
  IconCalendarEvent,
  IconFilter,
  IconSend,
  IconSpeakerphone,
  IconUser,
} from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Link } from '@/components/ui/link'
import type { Source } from '@/lib/assistant/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './sources.module.css'

const SHOWN = 6
const ICONS = {
  customer: IconUser,
  reservation: IconCalendarEvent,
  location: IconBuildingStore,
  automation: IconSpeakerphone,
  campaign: IconSend,
  segment: IconFilter,
}

/** The records that a reply names; customers, campaigns, segments and reservations link to their pages. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  const t = useTranslations('client.assistant.sources')
  const [all, showAll] = useState(false)
  if (sources.length === 0) return null
  const rest = sources.length - SHOWN
  return (
    <div className={classes.sources}>
      <span className={classes.title}>{t('title')}</span>
      <ul className={classes.list} aria-label={t('title')}>
        {(all ? sources : sources.slice(0, SHOWN)).map((source) => (
          <li key={`${source.type} ${source.id}`}>
            <SourceChip source={source} />
          </li>
        ))}
      </ul>
      {rest > 0 && !all ? (
        <button type="button" className={classes.more} onClick={() => showAll(true)}>
          {t('more', { count: rest })}
        </button>
      ) : null}
    </div>
  )
}

function SourceChip({ source }: { source: Source }) {
  const format = useFormatter()
  const Icon = ICONS[source.type]
  const { href, label, date } = sourceLink(source)
  const shown = date ? label.replace(date, format.dateTime(calendarDate(date), 'shortDate')) : label
  const content = (
    <>
      <Icon size={14} stroke={1.7} aria-hidden />
      <span>{shown}</span>
    </>
  )
  return href ? (
    <Link href={href} prefetch={false} className={classes.chip}>
      {content}
    </Link>
  ) : (
    <span className={classes.chip}>{content}</span>
  )
}

const WHEN = /^(\d{4}-\d{2}-\d{2}) (\d{2}):\d{2}$/
const SERVICE_ENDS_HOUR = 6
const DAY_MS = 86_400_000

/** The link of a source, if it has one, and the date (YYYY-MM-DD) in its label. */
interface SourceLink {
  href: string | null
  label: string
  date: string | null
}

/** A customer, a campaign and a segment link to their page, a reservation to its service day (before 06:00 the day before). */
export function sourceLink({ type, id, label }: Source): SourceLink {
  if (type === 'customer') return { href: `/customers/${encodeURIComponent(id)}`, label, date: null }
  if (type === 'campaign') return { href: `/campaigns/${encodeURIComponent(id)}`, label, date: null }
  if (type === 'segment') return { href: `/customers/segments/${encodeURIComponent(id)}`, label, date: null }
  const when = type === 'reservation' ? label.split(' · ').map((part) => WHEN.exec(part)) : []
  const [, date, hour] = when.findLast((match) => match !== null) ?? []
  const midnight = date ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (!date || Number.isNaN(midnight)) return { href: null, label, date: null }
  const day = new Date(midnight - (Number(hour) < SERVICE_ENDS_HOUR ? DAY_MS : 0))
  return { href: `/reservations?date=${day.toISOString().slice(0, 10)}`, label, date }
}
