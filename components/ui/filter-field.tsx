import type { ReactNode } from 'react'
import classes from './filter-field.module.css'

/** The filters above a list, side by side; stacked on a phone. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <div className={classes.bar}>{children}</div>
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
