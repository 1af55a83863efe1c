import type { ReactNode } from 'react'
import classes from './link-button.module.css'

/** A link of the second rank to a file that the API makes: the browser saves it and the page stays. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} download className={classes.button}>
      {children}
    </a>
  )
}
