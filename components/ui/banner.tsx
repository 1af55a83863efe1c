import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './banner.module.css'

interface BannerProps {
  icon: Icon
  /** What the list is; without it the banner is announced when it appears. */
  label?: string
  /** List items. */
  children: ReactNode
}

/** A strip above a page's content with what to know first. */
export function Banner({ icon: Icon, label, children }: BannerProps) {
  return (
    <div role={label ? undefined : 'status'} className={classes.banner}>
      <Icon size={20} aria-hidden />
      <ul aria-label={label}>{children}</ul>
    </div>
  )
}
