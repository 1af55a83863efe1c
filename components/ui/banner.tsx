import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './banner.module.css'

interface BannerProps {
  icon: Icon
  /** What the list is; without it the banner is announced when it appears. */
  label?: string
  /** Without space below, where what is around it keeps its parts apart. */
  tight?: boolean
  /** List items. */
  children: ReactNode
}

/** A strip above a page's content with what to know first. */
export function Banner({ icon: Icon, label, tight = false, children }: BannerProps) {
  return (
    <div role={label ? undefined : 'status'} className={classes.banner} data-tight={tight || undefined}>
      <Icon size={20} aria-hidden />
      <ul aria-label={label}>{children}</ul>
    </div>
  )
}
