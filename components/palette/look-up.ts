import { useEffect, useState } from 'react'
import { personName, shownName } from '@/lib/customers/person-name'
import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import { fold } from '@/lib/text/fold'

/** A result of the palette. */
export interface PaletteItem {
  kind: 'actions' | 'pages' | 'customers' | 'reservations' | 'tickets'
  /** The address it opens; null for the sync, which starts at once. */
  href: string | null
  label: string
  detail: string | null
  /** The party size of a reservation. */
  guests?: number
  /** The codes of the guest's recorded allergies. */
  allergies?: readonly string[]
}

/** The data that the palette searches for this person. */
export interface PaletteScope {
  actions: ({ href: string; label: string } | { sync: true; label: string })[]
  pages: { href: string; label: string }[]
  customers: boolean
  /** The service days whose reservations are searched, with their names. Empty without the permission. */
  days: { date: string; label: string }[]
}

const CUSTOMERS = 6
const RESERVATIONS = 4
const TICKETS = 4

interface Found {
  customers: {
    id: string
    first_name: string | null
    last_name: string | null
    email: string | null
    phone: string | null
    allergies: string[]
  }[]
  reservations: {
    customer_name: string | null
    location_id: string
    reservation_time: string
    party_size: number
    allergies: string[]
  }[]
  tickets: { id: string; number: number; subject: string; assignee_name: string | null }[]
}

/** Returns the actions and pages whose name contains every typed word, ignoring accents and case. */
export function matchingNames(text: string, { actions, pages }: PaletteScope): PaletteItem[] {
  const words = fold(text).split(/\s+/)
  const matches = ({ label }: { label: string }) => words.every((word) => fold(label).includes(word))
  const found = [
    ...pages.map((page) => ({ kind: 'pages' as const, ...page })),
    ...actions.map((action) => ({ kind: 'actions' as const, href: null, ...action })),
  ].filter(matches)
  return found.map(({ kind, href, label }) => ({ kind, href, label, detail: null }))
}

/**
 * Finds customers and coming reservations by name, phone or e-mail, and tickets by number or words.
 * @throws Error when the API fails or refuses.
 */
async function lookUp(
  text: string,
  { customers, days }: PaletteScope,
  signal: AbortSignal,
): Promise<PaletteItem[]> {
  const search = encodeURIComponent(text)
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1]
  const tickets = ticketsOf(number ? `number=${number}` : `search=${search}`, signal)
  if (text.startsWith('#')) return tickets
  const found = await Promise.all([
    customers ? customersOf(`/api/customers?limit=${CUSTOMERS}&search=${search}`, signal) : [],
    ...days.map((day) =>
      reservationsOf(
        `/api/reservations?limit=${RESERVATIONS}&date=${day.date}&search=${search}`,
        day,
        signal,
      ),
    ),
    tickets,
  ])
  return found.flat()
}

async function customersOf(path: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const data = await list<'customers'>(path, signal)
  return data.map(({ id, first_name, last_name, email, phone, allergies }) => {
    const contact = [email, phone].filter(Boolean).join(' · ')
    const name = personName({ first_name, last_name })
    return {
      kind: 'customers',
      href: `/customers/${id}`,
      label: name || contact,
      detail: name ? contact : null,
      allergies,
    }
  })
}

async function reservationsOf(
  path: string,
  day: PaletteScope['days'][number],
  signal: AbortSignal,
): Promise<PaletteItem[]> {
  const data = await list<'reservations'>(path, signal)
  return data.map(({ customer_name, location_id, reservation_time, party_size, allergies }) => {
    const name = customer_name ?? ''
    const query = new URLSearchParams({ date: day.date, [LOCATION_PARAMETER]: location_id, search: name })
    return {
      kind: 'reservations',
      href: `/reservations?${query}`,
      label: shownName(name),
      detail: `${day.label}, ${reservation_time.slice(0, 5)}`,
      guests: party_size,
      allergies,
    }
  })
}

async function ticketsOf(query: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const data = await list<'tickets'>(`/api/tickets?limit=${TICKETS}&${query}`, signal)
  return data.map(({ id, number, subject, assignee_name }) => ({
    kind: 'tickets',
    href: `/tickets/${id}`,
    label: `#${number} ${subject}`,
    detail: assignee_name,
  }))
}

async function list<K extends keyof Found>(path: string, signal: AbortSignal): Promise<Found[K]> {
  const response = await fetch(path, { signal })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()).data
}

const DELAY_MS = 200
const MIN_LENGTH = 2

type LookUp = { state: 'idle' | 'busy' | 'done' | 'failed'; found: PaletteItem[] }
const NOTHING: LookUp = { state: 'idle', found: [] }

/** Searches for the text shortly after typing stops; a newer text aborts the search for an older one. */
export function useLookUp(text: string, scope: PaletteScope): LookUp {
  const [answer, setAnswer] = useState(NOTHING)
  useEffect(() => {
    if (text.length < MIN_LENGTH) return setAnswer(NOTHING)
    const abort = new AbortController()
    // The last results stay while the next search runs.
    setAnswer(({ found }) => ({ state: 'busy', found }))
    const timer = setTimeout(() => {
      lookUp(text, scope, abort.signal).then(
        (found) => setAnswer({ state: 'done', found }),
        () => abort.signal.aborted || setAnswer({ state: 'failed', found: [] }),
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, scope])
  return answer
}
