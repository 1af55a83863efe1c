import type { ReactNode } from 'react'
import classes from './filter-field.module.css'

interface FilterBarProps {
  /** Whether the list's order stands beside the filters: the search then has a phone's whole width. */
  sorted?: boolean
  children: ReactNode
}

/** What narrows and orders a list, side by side above it; stacked on a phone. */
export function FilterBar({ sorted = false, children }: FilterBarProps) {
  return (
    <div className={classes.bar} data-sorted={sorted || undefined}>
      {children}
    </div>
  )
}

interface FilterFieldProps {
  icon?: ReactNode
  /** The content at the end: a spinner, or a button that clears the field. */
  end: ReactNode
  /** The native control; `filterClasses.control` gives it the look of Mantine's. */
  children: ReactNode
}

/** The box of a filter above a list: a native control styled like Mantine's, because Mantine's own render twice on load. */
export function FilterField({ icon, end, children }: FilterFieldProps) {
  return (
    <span className={classes.field} data-icon={icon ? true : undefined}>
      {icon}
      {children}
      {end ? <span className={classes.end}>{end}</span> : null}
    </span>
  )
}

export { classes as filterClasses }
