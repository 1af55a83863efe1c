import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { send } from '@/components/forms/send'
import type { GuestMatch, TypedGuest } from '@/lib/customers/matches-schema'

const DELAY_MS = 400
const PHONE_DIGITS = 9

/**
 * Finds existing guests who may be the person typed into a form, when the typing pauses. Further typing aborts the
 * request, so that an outdated answer is never shown. A failed request shows nothing: the form works without it.
 * @param read returns the guest's details from the form
 */
export function useMatches(
  form: RefObject<HTMLFormElement | null>,
  read: (fields: FormData) => TypedGuest,
): readonly GuestMatch[] {
  const [matches, setMatches] = useState<readonly GuestMatch[]>([])
  const asked = useRef('')
  const running = useRef<AbortController | null>(null)

  const ask = useEffectEvent(async () => {
    if (!form.current) return
    const guest = read(new FormData(form.current))
    const text = JSON.stringify(guest)
    if (text === asked.current) return
    asked.current = text
    running.current?.abort()
    if (!saysEnough(guest)) return setMatches([])
    const abort = new AbortController()
    running.current = abort
    const answer = await send<GuestMatch[]>('POST', '/api/customers/matches', guest, {
      signal: abort.signal,
      stay: true,
    })
    if (!abort.signal.aborted) setMatches(answer.ok ? answer.data : [])
  })

  useEffect(() => {
    const element = form.current
    let timer = setTimeout(ask, DELAY_MS)
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(ask, DELAY_MS)
    }
    element?.addEventListener('input', later)
    element?.addEventListener('change', later)
    return () => {
      clearTimeout(timer)
      running.current?.abort()
      element?.removeEventListener('input', later)
      element?.removeEventListener('change', later)
    }
  }, [form])

  return matches
}

/** Whether the details are enough to search: a first and a last name, an e-mail or a phone. */
function saysEnough({ first_name, last_name, email, phone }: TypedGuest): boolean {
  const names = `${first_name ?? ''} ${last_name ?? ''}`.trim().split(/\s+/)
  const digits = phone?.replace(/\D/g, '') ?? ''
  return names.length > 1 || /\S@\S+\.\S/.test(email ?? '') || digits.length >= PHONE_DIGITS
}
