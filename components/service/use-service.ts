'use client'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type Refusal, send } from '@/components/forms/send'
import { shownName } from '@/lib/customers/person-name'
import type { Service, Tap, TapAnswer } from '@/lib/service/schema'
import { type BoardParty, type BoardService, withTaps } from './board-model'
import { type Refused, TapQueue, tappedFields, type Waiting } from './tap-queue'

const REFRESH_MS = 10_000
const TAPS_A_REQUEST = 50

type NewTap = Tap extends infer T ? (T extends Tap ? Omit<T, 'key' | 'at'> : never) : never

// The server refused the request itself: sending it again would be refused again. Anything else is tried again.
const isFinal = ({ status }: Refusal) => status === 400 || status === 403 || status === 404

/**
 * The service of a location, kept up to date: read every ten seconds, on focus, and after each tap. Taps show at
 * once and wait in this browser until the server has taken them, so a lost connection loses none.
 * @param person whose taps they are: the next person at this browser does not send them
 * @param date the service day; without one the day under way
 * @returns the list as it looks with the taps that wait, when it was read, and how to tap
 */
export function useService(initial: Service, person: string, date?: string) {
  const queue = useMemo(
    () => new TapQueue(`service:${person}:${initial.location.id}`),
    [person, initial.location.id],
  )
  const [service, setService] = useState(initial)
  const [waiting, setWaiting] = useState<Waiting[]>([])
  const [offline, setOffline] = useState(false)
  const [refused, setRefused] = useState<Refused[]>([])
  const busy = useRef(false)
  const again = useRef(false)

  async function read() {
    const path = `/api/service?location_id=${initial.location.id}${date ? `&date=${date}` : ''}`
    const answer = await send<Service>('GET', path, undefined, { signal: AbortSignal.timeout(10_000) })
    setOffline(!answer.ok)
    if (answer.ok) setService(answer.data)
  }

  /** Sends the next taps. Returns whether more may be sent at once. */
  async function sendTaps(): Promise<boolean> {
    const taps = queue.take(TAPS_A_REQUEST)
    if (taps.length === 0) return true
    const body = { location_id: initial.location.id, taps }
    const answer = await send<TapAnswer[]>('POST', '/api/service/taps', body, {
      signal: AbortSignal.timeout(20_000),
    })
    setOffline(!answer.ok)
    if (!answer.ok && !isFinal(answer)) return false
    const settled = answer.ok ? answer.data : taps.map(({ key }) => ({ key, outcome: 'malformed' }))
    const refusals = queue.settle(settled)
    if (refusals.length > 0) setRefused((before) => [...before, ...refusals])
    return true
  }

  /** Sends what waits, then reads the list. Asked while it is under way, it begins again afterwards. */
  async function refresh(): Promise<void> {
    again.current = busy.current
    if (busy.current) return
    busy.current = true
    setWaiting(queue.read())
    let goesOn = true
    try {
      do goesOn = await sendTaps()
      while (goesOn && queue.read().length > 0)
      if (goesOn) await read()
    } finally {
      busy.current = false
      setWaiting(queue.read())
    }
    if (goesOn && again.current) void refresh()
  }
  const look = useEffectEvent(() => void (document.visibilityState === 'visible' && refresh()))

  useEffect(() => {
    const listen = () => look()
    const timer = setInterval(listen, REFRESH_MS)
    for (const name of ['focus', 'online'] as const) window.addEventListener(name, listen)
    document.addEventListener('visibilitychange', listen)
    listen()
    return () => {
      clearInterval(timer)
      for (const name of ['focus', 'online'] as const) window.removeEventListener(name, listen)
      document.removeEventListener('visibilitychange', listen)
    }
  }, [])

  function push(action: NewTap, before?: Waiting['before']): string {
    const tap = { ...action, key: crypto.randomUUID(), at: new Date().toISOString() } as Tap
    queue.add({ tap, before })
    setWaiting(queue.read())
    void refresh()
    return tap.key
  }

  /** Takes a tap of a party (null: a walk-in). Returns how to undo it. */
  function tap(action: NewTap, party: BoardParty | null): () => void {
    const before = party ? tappedFields(party) : undefined
    const key = push(action)
    return () => {
      if (queue.takeBack(key)) setWaiting(queue.read())
      else push({ action: 'undo', ...(party ? targetOf(party) : { of: key }), undoes: key }, before)
    }
  }

  return {
    service: useMemo(() => {
      // Who came today stands on no other day.
      const shown = date ? waiting.filter(({ tap: each }) => each.action !== 'walk_in') : waiting
      return withShownNames(withTaps(service, shown))
    }, [service, waiting, date]),
    readAt: service.at,
    waiting: waiting.length,
    offline,
    refused,
    forget: () => setRefused([]),
    tap,
    /** Reads the list now. */
    refresh: () => void refresh(),
  }
}

/** How a tap names a party: a walk-in that the server does not have yet by the key of its tap. */
export const targetOf = (party: BoardParty): { reservation_id: string } | { of: string } =>
  party.unsaved ? { of: party.id } : { reservation_id: party.id }

const withShownNames = (service: BoardService): BoardService => ({
  ...service,
  parties: service.parties.map((party) => ({ ...party, name: party.name && shownName(party.name) })),
})
