import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './state-page.module.css'

interface StatePageProps {
  icon: Icon
  title: string
  text: string
  children: ReactNode
}

/** A whole page that is one message: not found, no access, an error. */
export function StatePage({ icon: Picture, title, text, children }: StatePageProps) {
  return (
    <div className={classes.page}>
      <Picture size={40} stroke={1.4} aria-hidden />
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      <div className={classes.actions}>{children}</div>
    </div>
  )
}
