'use client'
import { IconBell } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { Link } from '@/components/ui/link'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { shownName } from '@/lib/customers/person-name'
import { calendarDate } from '@/lib/i18n/formats'
import type { Notices } from '@/lib/notices/operations'
import classes from './notice-bell.module.css'

const MAX_SHOWN = 99

/**
 * A bell with the number of notices, which opens their list. A native popover: Escape and a click elsewhere close it.
 */
export function NoticeBell({ initial, links }: { initial: Notices | null; links: NoticeLinks }) {
  const t = useTranslations('client.notices')
  const notices = useNotices(initial)
  const popover = useRef<HTMLDivElement>(null)
  // Loaded when it is opened: the list formats its sentences in the browser.
  const [seen, setSeen] = useState(false)
  const lines = notices ? noticeLines(notices, links) : []
  const count = lines.reduce((sum, line) => sum + line.count, 0)
  return (
    <>
      <button type="button" className={classes.bell} popoverTarget="notices">
        <VisuallyHidden>
          {t('label')}: {count || t('zero')}
        </VisuallyHidden>
        <IconBell size={18} stroke={1.7} aria-hidden />
        {count > 0 ? (
          <span className={classes.count} aria-hidden>
            {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
          </span>
        ) : null}
      </button>
      <div
        id="notices"
        popover="auto"
        ref={popover}
        className={classes.menu}
        onBeforeToggle={() => setSeen(true)}
      >
        <p className={classes.title}>{t('title')}</p>
        {lines.length > 0 ? (
          seen && <NoticeList lines={lines} onLeave={() => popover.current?.hidePopover()} />
        ) : (
          <p className={classes.none}>{notices ? t('none') : t('unavailable')}</p>
        )}
      </div>
    </>
  )
}

/** The notices, each with a link to the page where it can be handled. */
export function NoticeList({ lines, onLeave }: { lines: readonly NoticeLine[]; onLeave: () => void }) {
  const t = useTranslations('client.notices.lines')
  return (
    <ul className={classes.list}>
      {lines.map(({ text, count, href, at = [] }) => {
        const line = (
          <>
            {t(text, { count })}
            {at.map((place) => (
              <small key={place.location_id} className={classes.which}>
                <Which place={place} cancelled={text === 'leftPms'} />
              </small>
            ))}
          </>
        )
        return (
          <li key={text}>
            {href ? (
              <Link href={href} className={classes.line} onClick={onLeave}>
                {line}
              </Link>
            ) : (
              <span className={classes.line}>{line}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

type Place = Notices['left_pms']['locations'][number]

/** A location's bookings that left the PMS: those that were cancelled by name, else how many there are. */
function Which({ place, cancelled }: { place: Place; cancelled: boolean }) {
  const t = useTranslations('client.notices')
  const format = useFormatter()
  const { location } = place
  if (!cancelled) return t('howMany', { location, count: place.not_applied })
  const bookings = place.bookings
    .map(({ customer_name, reservation_date, reservation_time: time }) =>
      t('booking', {
        name: shownName(customer_name ?? t('noName')),
        date: format.dateTime(calendarDate(reservation_date), 'shortDate'),
        time,
      }),
    )
    .join('; ')
  const count = place.cancelled - place.bookings.length
  return count > 0 ? t('whichMore', { location, bookings, count }) : t('which', { location, bookings })
}

/** One notice. */
interface NoticeLine {
  text:
    | 'syncFailed'
    | 'syncPartial'
    | 'pausedRuns'
    | 'waitingRuns'
    | 'waitingCampaigns'
    | 'ticketsLate'
    | 'ticketsNear'
    | 'unknownMessages'
    | 'leftPms'
    | 'notApplied'
  count: number
  href: string | null
  /** The locations whose bookings it is about. */
  at?: readonly Place[]
}

/** The page that handles each kind of notice, for this person. */
export type NoticeLinks = Record<'sync' | 'home' | 'automations' | 'campaigns' | 'tickets', string | null>

/** The notices, most urgent first. */
export function noticeLines(
  { sync, paused_runs, waiting_runs, waiting_campaigns, tickets, unknown_messages, left_pms }: Notices,
  links: NoticeLinks,
): NoticeLine[] {
  const lines: NoticeLine[] = [
    {
      text: sync?.status === 'partial' ? 'syncPartial' : 'syncFailed',
      count: sync ? 1 : 0,
      href: links.sync,
    },
    {
      text: 'notApplied',
      count: left_pms.not_applied,
      href: links.home,
      at: left_pms.locations.filter(({ not_applied }) => not_applied > 0),
    },
    {
      text: 'leftPms',
      count: left_pms.count,
      href: links.home,
      at: left_pms.locations.filter(({ cancelled }) => cancelled > 0),
    },
    { text: 'ticketsLate', count: tickets.late, href: links.tickets },
    { text: 'ticketsNear', count: tickets.near, href: links.tickets },
    { text: 'waitingRuns', count: waiting_runs, href: links.automations },
    { text: 'waitingCampaigns', count: waiting_campaigns, href: links.campaigns },
    { text: 'pausedRuns', count: paused_runs, href: links.automations },
    { text: 'unknownMessages', count: unknown_messages, href: links.automations },
  ]
  return lines.filter(({ count }) => count > 0)
}

const RELOAD_MS = 120_000

/** The notices that came with the page, reloaded every two minutes while the page is visible. */
function useNotices(initial: Notices | null): Notices | null {
  const [notices, setNotices] = useState(initial)
  const loadedAt = useRef(0)
  useEffect(() => {
    loadedAt.current = Date.now()
    const abort = new AbortController()
    async function refresh() {
      if (document.hidden || Date.now() - loadedAt.current < RELOAD_MS) return
      loadedAt.current = Date.now()
      const response = await fetch('/api/notices', { signal: abort.signal }).catch(() => null)
      // Without an answer the last notices stay.
      if (response?.ok) setNotices((await response.json()).data)
    }
    const timer = setInterval(refresh, RELOAD_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      abort.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [])
  return notices
}
