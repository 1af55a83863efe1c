import { useEffect, useState } from 'react'
import { foundHref, isEnough } from '@/components/reservations/found-reservation'
import { personName, shownName } from '@/lib/customers/person-name'
import type { FoundReservation } from '@/lib/service/schema'
import { fold } from '@/lib/text/fold'

/** A result of the palette. */
export interface PaletteItem {
  kind: 'actions' | 'pages' | 'customers' | 'reservations' | 'tickets'
  /** The address it opens; null for the sync, which starts at once. */
  href: string | null
  label: string
  detail: string | null
  reservation?: FoundReservation
  /** The codes of the guest's recorded allergies. */
  allergies?: readonly string[]
}

/** The data that the palette searches for this person. */
export interface PaletteScope {
  actions: ({ href: string; label: string } | { sync: true; label: string })[]
  pages: { href: string; label: string }[]
  customers: boolean
  /** Whether reservations are searched, and in how many locations. */
  reservations: boolean
  locations: number
}

const CUSTOMERS = 6
const RESERVATIONS = 8
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
  reservations: FoundReservation[]
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
 * Finds customers by name, phone or e-mail, reservations of every day, and tickets by number or words.
 * @throws Error when the API fails or refuses.
 */
async function lookUp(
  text: string,
  { customers, reservations }: PaletteScope,
  signal: AbortSignal,
): Promise<PaletteItem[]> {
  const search = encodeURIComponent(text)
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1]
  const tickets = ticketsOf(number ? `number=${number}` : `search=${search}`, signal)
  if (text.startsWith('#')) return tickets
  const found = await Promise.all([
    customers ? customersOf(`/api/customers?limit=${CUSTOMERS}&search=${search}`, signal) : [],
    reservations ? reservationsOf(search, signal) : [],
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

async function reservationsOf(search: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const path = `/api/service/find?limit=${RESERVATIONS}&search=${search}`
  const data = await list<'reservations'>(path, signal)
  return data.map((reservation) => ({
    kind: 'reservations',
    href: foundHref(reservation),
    label: shownName(reservation.name ?? ''),
    detail: null,
    reservation,
    allergies: reservation.allergies,
  }))
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

type LookUp = { state: 'idle' | 'busy' | 'done' | 'failed'; found: PaletteItem[] }
const NOTHING: LookUp = { state: 'idle', found: [] }

/** Searches for the text shortly after typing stops; a newer text aborts the search for an older one. */
export function useLookUp(text: string, scope: PaletteScope): LookUp {
  const [answer, setAnswer] = useState(NOTHING)
  useEffect(() => {
    if (!isEnough(text)) return setAnswer(NOTHING)
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
