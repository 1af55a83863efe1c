import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { send } from '@/components/forms/send'
import type { GuestMatch, TypedGuest } from '@/lib/customers/matches-schema'

const DELAY_MS = 400
const PHONE_DIGITS = 9

/**
 * The guests who may be the one that is being typed into a form: asked for when the typing pauses. What was typed since
 * makes an answer stale: it is aborted and never shown. A refusal shows nothing, as the form works without.
 * @param read what the form says of the guest
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

/** Whether it names somebody: both names, or an address. */
function saysEnough({ first_name, last_name, email, phone }: TypedGuest): boolean {
  const names = `${first_name ?? ''} ${last_name ?? ''}`.trim().split(/\s+/)
  const digits = phone?.replace(/\D/g, '') ?? ''
  return names.length > 1 || /\S@\S+\.\S/.test(email ?? '') || digits.length >= PHONE_DIGITS
}
