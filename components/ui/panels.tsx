import type { ReactNode } from 'react'
import classes from './panels.module.css'

/** Panels one under the other; with `columns` two side by side where there is room. */
export function Panels({ columns = false, children }: { columns?: boolean; children: ReactNode }) {
  return (
    <div className={classes.panels} data-columns={columns || undefined}>
      {children}
    </div>
  )
}
