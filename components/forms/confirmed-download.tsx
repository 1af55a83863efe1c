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

/** A link to a file that people with a second factor get only after a code: a refused download would say nothing. */
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
