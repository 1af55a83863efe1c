'use client'
import type { MouseEvent, ReactNode } from 'react'
import type { SecondFactorState } from '@/lib/account/schema'
import { askForCode } from './ask-for-code'
import { send } from './send'

interface ConfirmedDownloadProps {
  href: string
  className?: string
  children: ReactNode
}

/**
 * A link to a file that asks people with a second factor for a code first: a failed download would show no reason.
 */
export function ConfirmedDownload({ href, className, children }: ConfirmedDownloadProps) {
  async function download(event: MouseEvent) {
    event.preventDefault()
    const answer = await send<SecondFactorState>('GET', '/api/account/second-factor')
    if (answer.ok && !answer.data.confirmed && !(await askForCode())) return
    window.location.assign(href)
  }
  return (
    <a href={href} download className={className} onClick={(event) => void download(event)}>
      {children}
    </a>
  )
}
