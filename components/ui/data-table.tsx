import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { VisuallyHidden } from './visually-hidden'

/** A dense server-rendered table. Cells marked `data-wide` show on wider screens only, `data-num` align right. */
export function DataTable({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <table className={classes.table}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      {children}
    </table>
  )
}
