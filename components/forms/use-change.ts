'use client'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useToast } from '@/components/ui/toast'
import { type OwnTexts, useErrorText } from './error-text'
import { send } from './send'

interface Change<T> {
  method: string
  path: string
  body?: object
  /** The toast's text on success; no toast without it. */
  done?: string
  onDone?: (data: T) => void
  texts?: OwnTexts
}

/**
 * Sends a change that needs no form, such as a button or a confirmed deletion. On success it shows a toast and
 * refreshes the page. Returns a function that resolves to the message of a refusal or null, as `ConfirmDialog`
 * expects.
 */
export function useChange() {
  const words = useErrorText()
  const say = useToast()
  const router = useRouter()
  const key = useRef<string>(null)
  return async <T = unknown>({
    method,
    path,
    body,
    done,
    onDone,
    texts,
  }: Change<T>): Promise<string | null> => {
    const answer = await send<T>(method, path, body, { key })
    if (!answer.ok) return words.ofRefusal(answer, texts)
    if (done !== undefined) say(done)
    onDone?.(answer.data)
    router.refresh()
    return null
  }
}
