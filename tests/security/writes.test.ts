import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { type Guests, startGuests } from '../support/guests'
import { plantWords } from './support/planted-words'
import {
  type Change,
  changesBetween,
  inWords,
  linkedTo,
  type Snapshot,
  snapshotOf,
} from './support/second-reader'

/** A second reader of writes: all tables before and after, and no row may differ but those of what was written. */
let g: Guests
let boss: Client
let bound: Client
let norte: string
const ids: Record<string, string> = {}

const WORDS = ['Casa Norte', 'Ana Ruiz', 'Last Visit', 'Grupo Huéspedes']
const guest = (name: string) => ({
  client_name: name,
  client_surname: 'Ruiz',
  client_email: `${name.toLowerCase()}@correo.example`,
})

beforeAll(async () => {
  g = await startGuests([
    { name: 'Casa Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Casa Sur', slug: 'sur', averageSpend: 20 },
  ])
  boss = await g.hire('admin')
  bound = await g.hire('admin', 'Casa Norte')
  norte = g.places['Casa Norte'] ?? ''
  await plantWords(g, WORDS, { sparing: [], place: 'Casa Norte' })
  await g.sync(
    [
      { id: '1', ...guest('Ana') },
      { id: '2', ...guest('Anita'), client_phone: '612345678' },
      { id: '3', ...guest('Luis') },
      { id: '4', ...guest('Luisa'), client_phone: '612345679' },
    ],
    'Casa Norte',
  )
  await g.sync(
    [
      { id: '5', ...guest('Anita') },
      { id: '6', ...guest('Luisa') },
    ],
    'Casa Sur',
  )
  for (const { id, name } of await g.sql<{ id: string; name: string }>(
    `select id::text, first_name as name from public.customers`,
  ))
    ids[name] = id
  const [brand] = await g.sql<{ id: string }>(
    `select brand_id::text as id from public.locations where id = $1`,
    [norte],
  )
  ids.brand = brand?.id ?? ''
  await g.sql(
    `insert into public.tickets (organization_id, location_id, customer_id, subject) values ($1, $2, $3, 'Abrigo'), ($1, $2, $4, 'Paraguas')`,
    [g.group.id, norte, ids.Anita, ids.Luisa],
  )
  for (const name of ['Anita', 'Luisa'])
    await g.ask(boss, 'PUT', `/api/customers/${ids[name]}/facts`, { facts: [{ code: 'nuts' }] })
})
afterAll(() => g?.app.close())

interface Write {
  does: string
  by?: () => Client
  arrange?: () => Promise<unknown>
  /** Method, path and body. */
  request: () => [string, string, object?]
  status?: number
  /** Whether a changed row belongs to it. */
  owns: (change: Change, snapshots: Snapshot[]) => boolean
}

const idOf = ({ before, after }: Change) => String((before ?? after)?.id)
/** A new line of the log about one of these. */
const logs = ({ table, before, after }: Change, ...about: (string | undefined)[]) =>
  table === 'public.audit_log' && before === null && about.includes(String(after?.subject_id))
/** The row itself, and the line of the log. */
const row = (table: string, id: () => string | undefined) => (change: Change) =>
  (change.table === table && idOf(change) === id()) || logs(change, id())
/** A new row with that name, and a line of the log about a record of its kind. */
const added = (table: string, name: string) => (change: Change) =>
  (change.table === table && change.before === null && change.after?.name === name) ||
  (change.table === 'public.audit_log' && change.before === null && change.after?.subject === name)
/** Whatever refers to these guests; and the kept figures, which have tests of their own. */
const guests =
  (...names: string[]) =>
  (change: Change, snapshots: Snapshot[]) =>
    ['private.customer_counts', 'private.daily_figures'].includes(change.table) ||
    linkedTo(
      snapshots,
      names.map((name) => ids[name] ?? ''),
    )(change)

const HOURS = {
  shifts: [{ name: 'Cena', weekdays: [5], opens: '20:00', closes: '23:00', capacity: 40 }],
  closed_days: [{ day: '2026-12-25', name: 'Navidad' }],
}
const ofNorte =
  (...tables: string[]) =>
  (change: Change) =>
    (tables.includes(change.table) && (change.before ?? change.after)?.location_id === norte) ||
    logs(change, norte)

const WRITES: Write[] = [
  {
    does: 'the settings of the group',
    request: () => ['PATCH', '/api/organization', { name: 'Grupo Huéspedes', frequency_cap_days: 9 }],
    owns: row('public.organizations', () => g.group.id),
  },
  {
    does: 'a new brand',
    request: () => ['POST', '/api/brands', { name: 'Marca Nueva' }],
    status: 201,
    owns: added('public.brands', 'Marca Nueva'),
  },
  {
    does: 'the name of a brand',
    request: () => ['PATCH', `/api/brands/${ids.brand}`, { name: 'Casa Marca' }],
    owns: row('public.brands', () => ids.brand),
  },
  {
    does: 'a new location',
    request: () => ['POST', '/api/locations', { name: 'Casa Este', city: 'Madrid' }],
    status: 201,
    // With the usual rules of its tiers.
    owns: (change) =>
      added('public.locations', 'Casa Este')(change) ||
      (change.table === 'public.loyalty_rules' && change.before === null),
  },
  {
    does: 'the name of a location',
    by: () => bound,
    request: () => ['PATCH', `/api/locations/${norte}`, { name: 'Casa Norte Nueva', city: 'Madrid' }],
    owns: row('public.locations', () => norte),
  },
  {
    does: 'the average spend of a location, with the guests who have been there',
    by: () => bound,
    request: () => ['PATCH', `/api/locations/${norte}`, { average_spend_per_guest: 35 }],
    owns: (change, snapshots) =>
      row('public.locations', () => norte)(change) ||
      guests('Ana', 'Anita', 'Eva', 'Luis', 'Luisa')(change, snapshots),
  },
  {
    does: 'the hours of a location',
    by: () => bound,
    request: () => ['PUT', `/api/locations/${norte}/hours`, HOURS],
    owns: ofNorte('public.shifts', 'public.closed_days'),
  },
  {
    does: 'the tables of a location',
    by: () => bound,
    request: () => [
      'PUT',
      `/api/locations/${norte}/tables`,
      { tables: [{ zone: 'Sala', name: '1', capacity: 4, is_active: true }] },
    ],
    owns: ofNorte('public.dining_tables'),
  },
  {
    does: 'a merge',
    request: () => ['POST', `/api/customers/${ids.Ana}/merge`, { duplicate_id: ids.Anita }],
    owns: guests('Ana', 'Anita'),
  },
  {
    does: 'the undoing of a merge',
    arrange: async () => {
      const body = { duplicate_id: ids.Luisa }
      const merged = await g.ask(boss, 'POST', `/api/customers/${ids.Luis}/merge`, body)
      ids.merge = merged.body.data.merge_id
    },
    request: () => ['POST', `/api/customer-merges/${ids.merge}/undo`],
    owns: guests('Luis', 'Luisa'),
  },
  {
    does: 'another name of a guest',
    request: () => ['PATCH', `/api/customers/${ids.Ana}`, { first_name: 'Last', last_name: 'Visit' }],
    owns: guests('Ana'),
  },
]

it.each(WRITES)('$does: no other row changes', async ({ by, arrange, request, status = 200, owns }) => {
  await arrange?.()
  const before = await snapshotOf(g.app.stack)
  const [method, path, body] = request()
  const answered = await g.ask(by?.() ?? boss, method, path, body)
  expect(answered.status, JSON.stringify(answered.body)).toBe(status)
  const after = await snapshotOf(g.app.stack)
  const changes = changesBetween(before, after)
  expect(changes.filter((change) => !owns(change, [before, after])).map(inWords)).toEqual([])
  expect(changes.filter(({ table }) => table !== 'public.audit_log')).not.toEqual([])
})
