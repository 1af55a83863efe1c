import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Freshness } from '@/components/ui/freshness'
import classes from './dock.module.css'
import { RefusedTaps, type RefusedTapsProps } from './refused-taps'

interface DockProps extends RefusedTapsProps {
  /** When the list was read. */
  readAt: string
  offline: boolean
  /** How many taps wait for the connection. */
  waiting: number
  /** The notice with undo. */
  children: ReactNode
}

/** What is said of the last taps, at the bottom of the screen: it moves nothing of the list. */
export function Dock({ readAt, offline, waiting, children, ...refused }: DockProps) {
  const t = useTranslations('client.service')
  return (
    <div className={classes.dock} data-dock>
      <div className={classes.refusals}>
        <RefusedTaps {...refused} />
      </div>
      {/* Always mounted: only a text that changes is read aloud. */}
      <p className={classes.offline} data-state={offline ? 'offline' : waiting > 0 ? 'slow' : 'hidden'}>
        <Freshness at={new Date(readAt)} offline={offline} />
        <span role="status">{waiting > 0 ? t('waiting', { count: waiting }) : null}</span>
      </p>
      {children}
    </div>
  )
}
