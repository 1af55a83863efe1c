import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Party, Service, TapAnswer } from '@/lib/service/schema'
import type { Client } from './app'
import { emptyTables } from './empty-tables'
import { type Guests, startGuests } from './guests'

/** Tonight's service day, and what a booking of it confirms whatever the hour is. */
export const DAY = currentServiceDay('Europe/Madrid')
export const ANY_TIME = ['service_over', 'outside_hours']

export let g: Guests
/** Floor staff of Norte, and operations of the group. */
export let sala: Client
export let host: Client
export let norte: string

/** Two locations, Norte (20 EUR a guest on average) with the tables S4, S5 and S6 of four seats; emptied before each test. */
export function withParties(): void {
  beforeAll(async () => {
    g = await startGuests([
      { name: 'Norte', slug: 'norte', averageSpend: 20 },
      { name: 'Sur', slug: 'sur' },
    ])
    sala = await g.hire('sala', 'Norte')
    host = await g.hire('operaciones')
    norte = g.places.Norte as string
  })
  afterAll(() => g?.app.close())
  beforeEach(async () => {
    await g.sql(emptyTables('customers', 'reservations', 'private.service_taps', 'dining_tables'))
    await g.sql(
      `insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
       select l.organization_id, l.id, 'Salón', t.name, 4 from public.locations l
       cross join (values ('S4'), ('S5'), ('S6')) as t (name) where l.name = 'Norte'`,
    )
  })
}

/** Books a party of four for tonight at 21:00; returns its id. */
export async function book(name: string, fields: object = {}, place = norte): Promise<string> {
  const { status, body } = await g.ask(host, 'POST', '/api/reservations', {
    ...{ location_id: place, customer_name: name, reservation_date: DAY, reservation_time: '21:00' },
    ...{ party_size: 4, status: 'confirmed', confirm: ANY_TIME },
    ...fields,
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.data.id
}

/** Sends one tap of Norte; returns its answer. */
export async function tap(fields: object, as = sala): Promise<TapAnswer> {
  const taps = [{ key: randomUUID(), ...fields }]
  const { status, body } = await g.ask(as, 'POST', '/api/service/taps', { location_id: norte, taps })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.data[0]
}
export const join = (reservation_id: string, to: string | null, more: object = {}) =>
  tap({ action: 'join', reservation_id, to, ...more })
export const assign = (reservation_id: string, tables: string[]) =>
  tap({ action: 'assign', reservation_id, tables })

/** The parties of Norte on the board. */
export const parties = async (): Promise<Party[]> =>
  ((await g.ask(sala, 'GET', `/api/service?location_id=${norte}`)).body.data as Service).parties
export const party = async (id: string) => (await parties()).find((each) => each.id === id) as Party
/** Who is joined to whom, and where, by name: `Luis Ana S4,S5`. */
export async function seats(): Promise<string[]> {
  const all = await parties()
  const nameOf = (id: string | null) => all.find((each) => each.id === id)?.name ?? '-'
  return all.map(({ name, joined_to, tables }) => `${name} ${nameOf(joined_to)} ${tables}`).sort()
}
export const outcomes = async (...taps: Promise<TapAnswer>[]) =>
  (await Promise.all(taps)).map((each) => each.outcome)
