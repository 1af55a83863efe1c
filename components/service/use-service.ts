'use client'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { send } from '@/components/forms/send'
import { shownName } from '@/lib/customers/person-name'
import type { Confirmed } from '@/lib/reservations/questions'
import type { Service, Tap } from '@/lib/service/schema'
import { newId } from '@/lib/uuid'
import { type BoardParty, type BoardService, fieldsBefore, withTaps } from './board-model'
import { type Failure, sendTaps } from './send-taps'
import { isOfWaitlist, type Refused, tapQueue, type Waiting } from './tap-queue'

// A change is on every board within ten seconds, also when a read is lost.
const REFRESH_MS = 5_000
/** How long a request may take until the device goes on without its answer. */
export const PATIENCE_MS = 10_000

/** A tap as the board takes it: its key and time are given when it is queued. */
export type NewTap = Tap extends infer T ? (T extends Tap ? Omit<T, 'key' | 'at'> : never) : never

/** A new tap of the waitlist. */
export type NewWaitingTap = Extract<NewTap, { action: `wait_${string}` }>

/** Whether there is no way to the app: no answer, or one of a host or proxy before it. */
export const isUnreachable = (failure: Failure | null): boolean =>
  failure !== null && (failure.code === undefined || failure.status >= 502)

/** Of which day a list is, and how this device got it. */
interface ServiceOptions {
  /** The service day; the current one when absent. */
  date?: string
  /** For a list that this device kept: how far the server's clock was ahead of its own, in milliseconds. */
  keptAhead?: number
}

/**
 * Keeps the service of a location up to date: reads it every five seconds, on focus, and after each tap. Taps show at
 * once and wait in this browser until the server accepts them, so that a lost connection loses none.
 * @param person the id of the person: another person at this browser does not send their taps
 * @returns the list with the pending taps applied, when it was read, and functions to tap
 */
export function useService(initial: Service, person: string, { date, keptAhead }: ServiceOptions = {}) {
  const queue = useMemo(() => tapQueue(person, initial.location.id), [person, initial.location.id])
  const [service, setService] = useState(initial)
  const [waiting, setWaiting] = useState<Waiting[]>([])
  // A kept list is shown because the server did not answer.
  const [failure, setFailure] = useState<Failure | null>(keptAhead === undefined ? null : NO_ANSWER)
  const [refused, setRefused] = useState<Refused[]>([])
  const shown = useMemo(() => {
    // A walk-in comes and a party waits today, so another day does not show it.
    const isOfToday = ({ tap: each }: Waiting) => each.action === 'walk_in' || isOfWaitlist(each)
    const taps = date ? waiting.filter((each) => !isOfToday(each)) : waiting
    return withShownNames(withTaps(service, taps))
  }, [service, waiting, date])
  const busy = useRef(false)
  const again = useRef(false)
  // How far the server's clock is ahead of this device's: what is tapped without a connection is timed by the server's.
  const ahead = useRef(keptAhead ?? 0)

  function show() {
    setWaiting(queue.read())
    setRefused(queue.refused())
  }

  async function read() {
    const path = `/api/service?location_id=${initial.location.id}${date ? `&date=${date}` : ''}`
    const saved = queue.saved()
    const answer = await send<Service>('GET', path, undefined, { signal: AbortSignal.timeout(PATIENCE_MS) })
    setFailure(answer.ok ? null : answer)
    if (!answer.ok) return
    ahead.current = Date.parse(answer.data.at) - Date.now()
    queue.seen(saved)
    setService(answer.data)
    setWaiting(queue.read())
  }

  /** Sends the pending taps, then reads the list. A call during a run starts another run afterwards. */
  async function refresh(): Promise<void> {
    again.current = busy.current
    if (busy.current) return
    busy.current = true
    show()
    let goesOn = true
    try {
      const sent = await sendTaps(queue, shown.parties)
      goesOn = sent.goesOn
      show()
      if (goesOn) await read()
      else setFailure(sent.failure)
    } finally {
      busy.current = false
      show()
    }
    if (goesOn && again.current) void refresh()
  }
  const look = useEffectEvent(() => void (document.visibilityState === 'visible' && refresh()))

  // The page was asked for after these were saved.
  useEffect(() => {
    if (keptAhead === undefined) queue.seen(queue.saved())
  }, [queue, keptAhead])

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

  function push(action: NewTap, more: Omit<Waiting, 'tap'> & { key?: string }): string {
    const { key = newId(), ...shows } = more
    const tap = { ...action, key, at: new Date(Date.now() + ahead.current).toISOString() } as Tap
    queue.add({ tap, ...shows })
    setWaiting(queue.read())
    void refresh()
    return tap.key
  }

  /** Takes a tap of a party (null for a walk-in). Returns a function that undoes it, with yes to what it would be asked. */
  function tap(action: NewTap, party: BoardParty | null): (confirm?: Confirmed[]) => void {
    const before = party ? fieldsBefore(shown.parties, action, party) : undefined
    const key = push(action, {})
    return (confirm) => {
      const target = party ? targetOf(party) : { of: key }
      if (queue.takeBack(key)) show()
      else push({ action: 'undo', ...target, undoes: key, confirm }, { before })
    }
  }

  /** Takes a tap of the waitlist, of a party of that name. Returns a function that brings back a party that left. */
  function tapWaiting(action: NewWaitingTap, name: string, key?: string): () => void {
    const party = action.action === 'wait_leave' ? waitingIn(shown, action.waiting_id) : undefined
    const taken = push(action, { name, key })
    return () => {
      if (queue.takeBack(taken)) show()
      else if (action.action === 'wait_leave') push({ ...action, action: 'wait_return' }, { name, party })
    }
  }

  /** Takes a refused tap again, with yes to what it was asked: the same one, of the time when it was tapped. */
  function takeAgain(one: Refused) {
    queue.again(one)
    show()
    void refresh()
  }

  /** Forgets a refused tap, or all that ask nothing. */
  function forget(key?: string) {
    queue.forget(key)
    show()
  }

  return {
    service: shown,
    /** The list as it was last read, without the taps that wait. */
    list: service,
    readAt: service.at,
    /** How many taps wait to be sent. */
    waiting: waiting.filter(({ saved }) => !saved).length,
    offline: failure !== null,
    failure,
    refused,
    takeAgain,
    forget: (one?: Refused) => forget(one?.tap.key),
    tap,
    tapWaiting,
    /** Reads the list now. */
    refresh: () => void refresh(),
  }
}

/** The id of a party in a tap. A walk-in that is not saved yet has the key of its tap. */
export const targetOf = (party: BoardParty): { reservation_id: string } | { of: string } =>
  party.unsaved ? { of: party.id } : { reservation_id: party.id }

const NO_ANSWER: Failure = { status: 0, code: undefined }

const waitingIn = ({ waiting }: BoardService, party: string) => waiting.find(({ id }) => id === party)

const withShownNames = (service: BoardService): BoardService => ({
  ...service,
  parties: service.parties.map((party) => ({ ...party, name: party.name && shownName(party.name) })),
})
