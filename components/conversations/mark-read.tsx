'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { send } from '@/components/forms/send'

/** Marks a conversation as read once it is on the screen; again when more has come. */
export function MarkRead({ id, unread }: { id: string; unread: number }) {
  const router = useRouter()
  // biome-ignore lint/correctness/useExhaustiveDependencies: more unread texts are to be marked, too
  useEffect(() => {
    const left = new AbortController()
    const mark = async () => {
      if (document.hidden) return
      const marked = await send('POST', `/api/conversations/${id}/read`, undefined, {
        signal: left.signal,
        stay: true,
      })
      if (marked.ok) router.refresh()
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => {
      left.abort()
      document.removeEventListener('visibilitychange', mark)
    }
  }, [id, unread, router])
  return null
}
