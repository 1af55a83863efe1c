import { type ReactNode, Suspense } from 'react'
import classes from './slot.module.css'

interface SlotProps {
  /** The height it has once loaded, so that nothing moves when it comes. */
  height: number
  children: ReactNode
}

/** The place of a panel that is sent after the page stands. */
export function Slot({ height, children }: SlotProps) {
  return (
    <div className={classes.slot} style={{ minHeight: height }}>
      <Suspense fallback={<div className={classes.waiting} aria-hidden />}>{children}</Suspense>
    </div>
  )
}
