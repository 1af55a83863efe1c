import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Freshness } from '@/components/ui/freshness'
import classes from './dock.module.css'
import type { OnDeviceProps } from './on-device'
import type { RefusedTapsProps } from './refused-taps'

/** It loads after the list, while there is a connection. */
const OnDevice = dynamic(() => import('./on-device').catch(() => ({ default: () => null })), { ssr: false })

interface DockProps extends RefusedTapsProps, Pick<OnDeviceProps, 'failure' | 'keeps'> {
  /** When the list was read. */
  readAt: string
  /** How many taps wait for the connection. */
  waiting: number
  /** The notice with undo. */
  children: ReactNode
}

/** What is said of the last taps, at the bottom of the screen: it moves nothing of the list. */
export function Dock({ readAt, failure, keeps, waiting, children, ...refused }: DockProps) {
  const t = useTranslations('client.service')
  const offline = failure !== null
  return (
    <div className={classes.dock} data-dock>
      <div className={classes.refusals}>
        <OnDevice {...{ failure, keeps }} {...refused} idle={waiting === 0} />
      </div>
      {/* Always mounted: only a text that changes is read aloud. */}
      <p className={classes.offline} data-state={offline ? 'offline' : waiting > 0 ? 'slow' : 'hidden'}>
        <Freshness at={new Date(readAt)} offline={offline} list />
        <span role="status">{waiting > 0 ? t('waiting', { count: waiting }) : null}</span>
      </p>
      {children}
    </div>
  )
}
