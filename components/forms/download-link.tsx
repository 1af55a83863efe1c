import type { ReactNode } from 'react'
import classes from '@/components/ui/link-button.module.css'
import { ConfirmedDownload } from './confirmed-download'

interface DownloadLinkProps {
  href: string
  /** Whether the person has a second factor and so must confirm the download with a code. */
  confirm: boolean
  children: ReactNode
}

/** A secondary link to a file that the API makes: the browser saves the file and the page stays. */
export function DownloadLink({ href, confirm, children }: DownloadLinkProps) {
  if (confirm)
    return (
      <ConfirmedDownload href={href} className={classes.button}>
        {children}
      </ConfirmedDownload>
    )
  return (
    <a href={href} download className={classes.button}>
      {children}
    </a>
  )
}
