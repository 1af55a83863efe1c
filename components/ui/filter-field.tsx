import type { ReactNode } from 'react'
import classes from './filter-field.module.css'

interface FilterFieldProps {
  icon?: ReactNode
  /** What stands at the end: a spinner, or what clears the field. */
  end: ReactNode
  /** The native control; `filterClasses.control` gives it the look of Mantine's. */
  children: ReactNode
}

/** The box of a filter above a list: a native control in Mantine's clothes, as Mantine's own render twice on a page's start. */
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
