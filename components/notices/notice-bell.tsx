'use client'
import { IconBell } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Notices } from '@/lib/notices/schema'
import { type NoticeLinks, noticeLines } from './lines'
import classes from './notice-bell.module.css'
import { NoticeList } from './notice-list'
import { useNotices } from './use-notices'

const MOST = 99

/** What needs attention, behind a bell with its count. A native popover: Escape and a click elsewhere close it. */
export function NoticeBell({ initial, links }: { initial: Notices | null; links: NoticeLinks }) {
  const t = useTranslations('client.notices')
  const notices = useNotices(initial)
  const popover = useRef<HTMLDivElement>(null)
  // Its sentences have plurals, which nobody waits for before opening it.
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
            {count > MOST ? `${MOST}+` : count}
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
