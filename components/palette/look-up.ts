import type { PaletteItem, PaletteScope } from './item'

const CUSTOMERS = 6
const RESERVATIONS = 4

interface Found {
  customers: {
    id: string
    first_name: string | null
    last_name: string | null
    email: string | null
    phone: string | null
  }[]
  reservations: {
    customer_name: string | null
    location_id: string
    reservation_time: string
    party_size: number
  }[]
}

/** The pages whose name has every word that was typed; accents and case do not matter. */
export function matchingPages(text: string, pages: PaletteScope['pages']): PaletteItem[] {
  const words = plain(text).split(/\s+/)
  return pages
    .filter(({ label }) => words.every((word) => plain(label).includes(word)))
    .map((page) => ({ kind: 'pages', ...page, detail: null }))
}

/**
 * Customers and coming reservations by name, phone or e-mail, as the API gives them to this person.
 * @throws when the API does not answer, or refuses.
 */
export async function lookUp(
  text: string,
  { customers, days }: PaletteScope,
  signal: AbortSignal,
): Promise<PaletteItem[]> {
  const search = encodeURIComponent(text)
  const found = await Promise.all([
    customers ? customersOf(`/api/customers?limit=${CUSTOMERS}&search=${search}`, signal) : [],
    ...days.map((day) =>
      reservationsOf(
        `/api/reservations?limit=${RESERVATIONS}&date=${day.date}&search=${search}`,
        day,
        signal,
      ),
    ),
  ])
  return found.flat()
}

async function customersOf(path: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const data = await list<'customers'>(path, signal)
  return data.map(({ id, first_name, last_name, email, phone }) => {
    const contact = [email, phone].filter(Boolean).join(' · ')
    const name = [first_name, last_name].filter(Boolean).join(' ')
    return {
      kind: 'customers',
      href: `/customers/${id}`,
      label: name || contact,
      detail: name ? contact : null,
    }
  })
}

async function reservationsOf(
  path: string,
  day: PaletteScope['days'][number],
  signal: AbortSignal,
): Promise<PaletteItem[]> {
  const data = await list<'reservations'>(path, signal)
  return data.map(({ customer_name, location_id, reservation_time, party_size }) => {
    const name = customer_name ?? ''
    const query = new URLSearchParams({ date: day.date, location: location_id, q: name })
    return {
      kind: 'reservations',
      href: `/reservations?${query}`,
      label: name,
      detail: `${day.label}, ${reservation_time.slice(0, 5)}`,
      guests: party_size,
    }
  })
}

async function list<K extends keyof Found>(path: string, signal: AbortSignal): Promise<Found[K]> {
  const response = await fetch(path, { signal })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()).data
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
