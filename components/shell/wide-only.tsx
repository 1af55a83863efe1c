import type { ReactNode } from 'react'
import classes from './wide-only.module.css'

/** Tools for which a phone's header has no room; there they are in the user menu. */
export function WideOnly({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>
}
