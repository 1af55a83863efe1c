import type { ReactNode } from 'react'
import classes from './form-layout.module.css'

/** The fields of a form, one under the other. */
export function FormFields({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>
}

/** Fields that belong side by side where there is room. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}

/** The buttons that end a form; what stands in `aside` keeps to the other side. */
export function FormActions({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.actions}>
      {aside ? <div className={classes.aside}>{aside}</div> : null}
      {children}
    </div>
  )
}
