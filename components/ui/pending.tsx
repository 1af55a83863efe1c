import classes from './pending.module.css'

/** A line at the top while the next page is on the way. */
export function Pending() {
  return <span className={classes.line} aria-hidden />
}
