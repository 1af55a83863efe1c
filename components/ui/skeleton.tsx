import classes from './skeleton.module.css'

/** A grey block of a given height (pixels) that stands in for what is loading. */
export function Skeleton({ height, width = '100%' }: { height: number; width?: number | string }) {
  return <div className={classes.skeleton} style={{ height, width }} aria-hidden />
}
