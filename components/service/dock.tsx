import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState } from 'react'
import { Freshness } from '@/components/ui/freshness'
import classes from './dock.module.css'
import type { OnDeviceProps } from './on-device'
import type { RefusedTapsProps } from './refused-taps'

interface DockProps extends RefusedTapsProps, Omit<OnDeviceProps, 'idle'> {
  /** How many taps wait for the connection. */
  waiting: number
  /** Whether the person is looking for something, or may undo. */
  engaged?: boolean
  /** The notice with undo. */
  children: ReactNode
}

/** What a board does without a connection, and what it says of refused taps. They load after the list. */
const loadParts = async () => ({ ...(await import('./on-device')), ...(await import('./refused-taps')) })

/** @param wanted how many refused taps wait to be shown: each new one tries again to load what shows them */
function useParts(wanted: number) {
  const [found, setFound] = useState<Awaited<ReturnType<typeof loadParts>> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see `wanted`
  useEffect(() => {
    if (found) return
    const load = () => void loadParts().then(setFound, () => {})
    load()
    for (const name of ['online', 'focus'] as const) window.addEventListener(name, load)
    return () => {
      for (const name of ['online', 'focus'] as const) window.removeEventListener(name, load)
    }
  }, [found, wanted])
  return found
}

/** What is said of the last taps, at the bottom of the screen: it moves nothing of the list. */
export function Dock(props: DockProps) {
  const { readAt, failure, keeps, waiting, engaged = false, children, ...refused } = props
  const t = useTranslations('client.service')
  const parts = useParts(refused.refused.length)
  const offline = failure !== null
  return (
    <div className={classes.dock} data-dock>
      <div className={classes.refusals}>{parts ? <parts.RefusedTaps {...refused} /> : null}</div>
      {parts ? <parts.OnDevice {...{ failure, readAt, keeps }} idle={waiting === 0 && !engaged} /> : null}
      {/* Always mounted: only a text that changes is read aloud. */}
      <p className={classes.offline} data-state={offline ? 'offline' : waiting > 0 ? 'slow' : 'hidden'}>
        <Freshness at={new Date(readAt)} offline={offline} list />
        <span role="status">{waiting > 0 ? t('waiting', { count: waiting }) : null}</span>
      </p>
      {children}
    </div>
  )
}
