import type { APIRequestContext, Locator } from '@playwright/test'
import { confirmed, QUESTIONS } from '@/lib/reservations/questions'
import { expect } from './fixtures'
import { VENUE_ZONE } from './venue-zone'

/** Yes to all that the API asks about a booking. */
export const YES = QUESTIONS.map(confirmed)

/** The location whose service the tests run. */
export const PLACE = 'Casa Lumbre Chamberí'

/** Its id. */
export async function locationId(api: APIRequestContext): Promise<string> {
  const { data } = await (await api.get('/api/locations')).json()
  return data.find(({ name }: { name: string }) => name === PLACE).id
}

/**
 * A reservation of four so many minutes from now, made by hand. By the restaurant's clock: where it was put forward in
 * between, as on that clock, a party of 01:57 is an hour late at 03:00.
 */
export async function book(
  api: APIRequestContext,
  minutes: number,
  fields: object,
): Promise<{ id: string; name: string }> {
  const clock = new Date().toLocaleString('sv', {
    timeZone: VENUE_ZONE,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const at = new Date(Date.parse(`${clock.replace(' ', 'T')}Z`) + minutes * 60_000)
  const [date, time] = at.toISOString().slice(0, 16).split('T')
  const name = `García ${Math.random().toString(36).slice(2, 8)}`
  const made = await api.post('/api/reservations', {
    data: {
      ...{ location_id: await locationId(api), customer_name: name, party_size: 4, status: 'confirmed' },
      ...{ reservation_date: date, reservation_time: time, confirm: YES, ...fields },
    },
  })
  expect(made.status(), await made.text()).toBe(201)
  return { id: (await made.json()).data.id, name }
}

/** A reservation as it is stored. */
export const stored = async (api: APIRequestContext, id: string) =>
  (await (await api.get(`/api/reservations/${id}`)).json()).data

/** The service under way. */
export const serviceNow = async (api: APIRequestContext) =>
  (await (await api.get(`/api/service?location_id=${await locationId(api)}`)).json()).data

/** When a party of the service under way came; null while it has not. */
export async function arrivedAt(api: APIRequestContext, id: string): Promise<string | null> {
  const { parties } = await serviceNow(api)
  return parties.find((party: { id: string }) => party.id === id).arrived_at
}

const HOLDING = ['pending', 'confirmed', 'seated']

/** Finishes or cancels the parties that tests have made, so that their tables are free for others. */
export async function leave(api: APIRequestContext): Promise<void> {
  const { parties } = await serviceNow(api)
  for (const { id, name, status } of parties)
    if (/^García \w{3,6}$/.test(name ?? '') && HOLDING.includes(status)) {
      const data = { status: status === 'seated' ? 'completed' : 'cancelled' }
      const answer = await api.patch(`/api/reservations/${id}`, { data })
      if (!answer.ok()) throw new Error(await answer.text())
    }
}

/** Tables for four without a seated or expected party. */
export async function freeTables(api: APIRequestContext): Promise<[string, string]> {
  const data = await serviceNow(api)
  // Who has left or does not come holds no table.
  const used = data.parties
    .filter(({ status }: { status: string }) => HOLDING.includes(status))
    .flatMap(({ table_name: at }: { table_name: string | null }) => at?.split('+') ?? [])
  const free = data.tables
    .filter(({ capacity }: { capacity: number | null }) => (capacity ?? 4) >= 4)
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !used.includes(name))
  return [free[0], free[1]]
}

/** The button of a table in a list of tables. */
export const choice = (within: Locator, table: string) =>
  within.getByRole('button', { name: new RegExp(`^${table}(?![\\d+])`) })
