import type { ReactNode } from 'react'
import classes from './badge.module.css'

export type BadgeTone = 'accent' | 'amber' | 'blue' | 'green' | 'neutral' | 'orange' | 'red'

interface BadgeProps {
  tone: BadgeTone
  dot?: boolean
  children: ReactNode
}

/** A small label on a tinted ground. */
export function Badge({ tone, dot = false, children }: BadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone} data-dot={dot || undefined}>
      {children}
    </span>
  )
}
