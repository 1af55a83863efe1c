import type { ReactNode } from 'react'
import classes from './failure.module.css'

/** The reason of a failure, announced to screen readers. Renders nothing without one. */
export function Failure({ text }: { text: ReactNode }) {
  return (
    <p role="alert" className={classes.failure}>
      {text}
    </p>
  )
}
