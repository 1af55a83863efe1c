import { useTranslations } from 'next-intl'
import type { CSSProperties, ReactNode } from 'react'
import type { ReservationStatus } from '@/lib/reservations/status'
import classes from './badge.module.css'
import { metalOf } from './metals'

export type BadgeTone = 'accent' | 'amber' | 'blue' | 'green' | 'neutral' | 'orange' | 'red'

interface BadgeProps {
  tone: BadgeTone
  dot?: boolean
  /** A sign before the words, of what may harm a guest; the severe stands out most. */
  alarm?: 'plain' | 'severe'
  children: ReactNode
}

/** A small label on a tinted ground. */
export function Badge({ tone, dot = false, alarm, children }: BadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone} data-dot={dot || undefined} data-alarm={alarm}>
      {children}
    </span>
  )
}

export const STATUS_TONES: Record<ReservationStatus, BadgeTone> = {
  pending: 'amber',
  confirmed: 'blue',
  seated: 'green',
  completed: 'neutral',
  cancelled: 'red',
  no_show: 'orange',
}

/** The status of a reservation in words. */
export function StatusBadge({ status }: { status: ReservationStatus }) {
  const t = useTranslations('status.one')
  return (
    <Badge tone={STATUS_TONES[status]} dot>
      {t(status)}
    </Badge>
  )
}

/** A customer's loyalty tier, by the organization's own name. Renders nothing without a tier. */
export function TierBadge({ tier }: { tier: { name: string } | null | undefined }) {
  if (!tier) return null
  return (
    <span className={classes.tier} style={{ '--metal': metalOf(tier.name) } as CSSProperties}>
      {tier.name}
    </span>
  )
}
