import type { CSSProperties, ReactNode } from 'react'
import classes from './data-table.module.css'
import { VisuallyHidden } from './visually-hidden'

interface DataTableProps {
  caption: string
  /** For a long list: its columns on a phone, as of a CSS grid. The browser then lays out only the rows in sight. */
  phoneColumns?: string
  /** The columns where a phone is too narrow for these: cells marked `data-under` then stand below the name. */
  smallColumns?: string
  children: ReactNode
}

/** A dense server-rendered table. Cells marked `data-wide` show on wider screens only, `data-num` align right. */
export function DataTable({ caption, phoneColumns, smallColumns = phoneColumns, children }: DataTableProps) {
  const style = phoneColumns
    ? ({ '--phone-columns': phoneColumns, '--small-columns': smallColumns } as CSSProperties)
    : undefined
  return (
    <table className={classes.table} data-boxes={phoneColumns ? true : undefined} style={style}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      {children}
    </table>
  )
}
