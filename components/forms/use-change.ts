'use client'
import { useRouter } from 'next/navigation'
import { useToast } from '@/components/ui/toast'
import { type OwnTexts, useErrorText } from './error-text'
import { send } from './send'

interface Change<T> {
  method: string
  path: string
  body?: object
  /** What the toast says once it is done; without it there is none. */
  done?: string
  onDone?: (data: T) => void
  texts?: OwnTexts
}

/**
 * Sends a change that needs no form, such as a button's or a confirmed deletion; then shows a toast and refreshes the
 * page. Gives a function that returns the sentence for a refusal, or null: what `ConfirmDialog` expects.
 */
export function useChange() {
  const words = useErrorText()
  const say = useToast()
  const router = useRouter()
  return async <T = unknown>({
    method,
    path,
    body,
    done,
    onDone,
    texts,
  }: Change<T>): Promise<string | null> => {
    const answer = await send<T>(method, path, body)
    if (!answer.ok) return words.ofRefusal(answer, texts)
    if (done !== undefined) say(done)
    onDone?.(answer.data)
    router.refresh()
    return null
  }
}
