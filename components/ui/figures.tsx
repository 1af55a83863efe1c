import type { ReactNode } from 'react'
import classes from './figures.module.css'

/** A row of figures; two by two on a phone, an odd one last across both. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>
}

/** One number with its name and a word of context. */
export function Figure({ label, value, note }: { label: string; value: ReactNode; note?: string }) {
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{value}</dd>
      {note ? <dd className={classes.note}>{note}</dd> : null}
    </div>
  )
}
