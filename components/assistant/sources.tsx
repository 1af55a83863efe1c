import { IconBuildingStore, IconCalendarEvent, IconSpeakerphone, IconUser } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Link } from '@/components/ui/link'
import type { Source } from '@/lib/assistant/schema'
import { calendarDate } from '@/lib/i18n/formats'
import { sourceLink } from './source-link'
import classes from './sources.module.css'

const FEW = 6
const ICONS = {
  customer: IconUser,
  reservation: IconCalendarEvent,
  location: IconBuildingStore,
  automation: IconSpeakerphone,
}

/** The records an answer rests on; customers and reservations lead to their pages. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  const t = useTranslations('client.assistant.sources')
  const [all, showAll] = useState(false)
  if (sources.length === 0) return null
  const rest = sources.length - FEW
  return (
    <div className={classes.sources}>
      <span className={classes.title}>{t('title')}</span>
      <ul className={classes.list} aria-label={t('title')}>
        {(all ? sources : sources.slice(0, FEW)).map((source) => (
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
