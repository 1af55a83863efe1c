import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  text?: string
  children?: ReactNode
}

/** What stands where a list would: why there is nothing, and what to do about it. */
export function EmptyState({ icon: Picture, title, text, children }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Picture size={28} stroke={1.5} aria-hidden />
      <p className={classes.title}>{title}</p>
      {text ? <p className={classes.text}>{text}</p> : null}
      {children}
    </div>
  )
}
