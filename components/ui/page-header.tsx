import type { ReactNode } from 'react'
import classes from './page-header.module.css'

interface PageHeaderProps {
  title: string
  subtitle?: ReactNode
  /** One low line on a phone: for a page whose list should begin on the first screen. */
  tight?: boolean
  /** Buttons and filters of the whole page. */
  children?: ReactNode
}

/** The page's only h1, what it is about, and the controls of the page. */
export function PageHeader({ title, subtitle, tight, children }: PageHeaderProps) {
  return (
    <header className={classes.header} data-tight={tight || undefined}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        {subtitle ? <div className={classes.subtitle}>{subtitle}</div> : null}
      </div>
      {children ? <div className={classes.actions}>{children}</div> : null}
    </header>
  )
}
