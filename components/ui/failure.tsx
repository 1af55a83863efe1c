import type { ReactNode } from 'react'
import classes from './failure.module.css'

/** Why something did not work, read aloud when it appears; nothing while there is no reason. */
export function Failure({ text }: { text: ReactNode }) {
  return (
    <p role="alert" className={classes.failure}>
      {text}
    </p>
  )
}
