import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  title: string
  /** The id that a link to this panel names. */
  anchor?: string
  aside?: ReactNode
  children: ReactNode
  /** Whether the content reaches the edges (tables and lists). */
  flush?: boolean
  /** Whether the title is for screen readers only, because the page's own title says the same. */
  hideTitle?: boolean
}

/** A titled surface, the building block of every page. */
export function Panel({ title, anchor, aside, children, flush = false, hideTitle = false }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.panel} id={anchor} aria-labelledby={id}>
      <div className={classes.head} data-hidden={hideTitle || undefined}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        {aside ? <div className={classes.aside}>{aside}</div> : null}
      </div>
      <div className={classes.body} data-flush={flush || undefined} data-alone={hideTitle || undefined}>
        {children}
      </div>
    </section>
  )
}

/** Stacked panels; with `columns` two side by side where there is room. */
export function Panels({ columns = false, children }: { columns?: boolean; children: ReactNode }) {
  return (
    <div className={classes.panels} data-columns={columns || undefined}>
      {children}
    </div>
  )
}
