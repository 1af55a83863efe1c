import type { ReactNode } from 'react'
import classes from './page-header.module.css'

interface PageHeaderProps {
  title: string
  subtitle?: ReactNode
  /** Buttons and filters of the whole page. */
  children?: ReactNode
}

/** The page's only h1, what it is about, and the controls of the page. */
export function PageHeader({ title, subtitle, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        {subtitle ? <div className={classes.subtitle}>{subtitle}</div> : null}
      </div>
      {children ? <div className={classes.actions}>{children}</div> : null}
    </header>
  )
}
