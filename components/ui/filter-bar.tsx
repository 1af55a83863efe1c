import type { ReactNode } from 'react'
import classes from './filter-bar.module.css'

/** The filters above a list, side by side; one under the other on a phone. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <div className={classes.bar}>{children}</div>
}
