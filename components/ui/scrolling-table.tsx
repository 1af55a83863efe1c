import type { ReactNode } from 'react'
import { DataTable } from './data-table'
import classes from './scrolling-table.module.css'

interface ScrollingTableProps {
  /** The label of the region that scrolls, for screen readers and the keyboard. */
  label: string
  caption: string
  children: ReactNode
}

/** A table of figures that scrolls sideways where it is wider than its panel. */
export function ScrollingTable({ label, caption, children }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <DataTable caption={caption}>{children}</DataTable>
    </section>
  )
}
