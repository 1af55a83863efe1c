import { expect } from 'vitest'
import { addDays, localDate } from '@/lib/dates'
import { connectPms, createGroup, type Group, PMS_KEY } from '../factories/group'
import { type PmsSimulator, startPmsSimulator } from '../fakes/pms/server'
import type { ExternalRow, TruthRow } from '../fakes/pms/types'
import type { TestApp } from './app'
import { emptyTables } from './empty-tables'
import { answer } from './sign-in'

/** A booking of the PMS as staff see it there: for how many days from today, at 21:00 unless it says so. */
export interface Booking {
  day?: number
  time?: string
  state?: string | number
  name?: string
  pax?: number
  table?: string
}

/** A group whose PMS holds what a test writes into it: by location (its slug) and the booking's id. */
export interface PmsBook {
  group: Group
  pms: PmsSimulator
  book: Record<string, Map<string, Booking>>
  locationId: (slug: string) => string
  /** YYYY-MM-DD, so many days from today. */
  day: (days: number) => string
  /** For each test: no bookings in the PMS nor here, no faults, and nothing kept of earlier answers. */
  begin: () => Promise<void>
  /** As if so many minutes had passed since the test began, for what the sync keeps of bookings that left the PMS. */
  passTo: (minutes: number) => Promise<void>
  /** What the scheduler gets by POST /api/sync, or GET /api/cron/sync, so many minutes after the test began. */
  syncAt: (minutes: number, how?: 'sync' | 'cron') => Promise<Answer>
  /** As if the days ahead had been asked for four hours earlier: they are due again. */
  fourHoursLater: () => Promise<unknown>
  /** What the latest run keeps: its status, issues, and of each location (by name) the bookings that left the PMS. */
  lastRun: () => Promise<{ status: string; issues: object[]; missing: Record<string, string[]> }>
  /** The status of each booking by its id in the PMS. */
  statuses: () => Promise<Record<string, string>>
  /** The ids of the bookings that left the PMS. */
  missing: () => Promise<string[]>
}

type Answer = Awaited<ReturnType<typeof answer>>['body']

const ZONE = 'Europe/Madrid'

/** Starts a PMS without bookings, with locations of these names (their slugs in lower case) of a new group. */
export async function startPmsBook(app: TestApp, names: string[]): Promise<PmsBook> {
  const locations = names.map((name) => ({ name, slug: name.toLowerCase() }))
  const book = Object.fromEntries(locations.map(({ slug }) => [slug, new Map<string, Booking>()]))
  const day = (days: number) => addDays(localDate(new Date(), ZONE), days)
  const truth = (slug: string, date: string): TruthRow[] =>
    [...(book[slug] ?? [])]
      .filter(([, one]) => day(one.day ?? 0) === date)
      .map(([id, one]) => truthOf(id, one, date))
  const world = {
    ...{ seed: 'book', people: [], truth },
    venues: locations.map((one) => ({ ...one, timezone: ZONE, shape: 'external' as const })),
    day: (slug: string, date: string) => truth(slug, date).map(({ row }) => row),
  }
  const pms = await startPmsSimulator({ world, apiKey: PMS_KEY })
  const group = await createGroup(app.stack, 'Grupo Libreta', locations)
  await connectPms(app.stack, group.id, pms.url)
  let now = 0
  async function passTo(minutes: number) {
    await app.stack.sql(
      `update private.missing_bookings set missing_since = missing_since - age, held_at = held_at - age,
         cancelled_at = cancelled_at - age from make_interval(mins => $1) as age`,
      [minutes - now],
    )
    now = minutes
  }
  const bookings = () =>
    app.stack.sql<{ id: string; status: string; pms_status: string }>(
      'select external_id as id, status, pms_status from public.reservations order by 1',
    )
  return {
    ...{ group, pms, book, day },
    locationId: (slug) => group.locations.find((one) => one.slug === slug)?.id ?? '',
    async begin() {
      now = 0
      pms.clearFaults()
      for (const each of Object.values(book)) each.clear()
      await app.stack.sql(emptyTables('reservations', 'customers', 'job_runs', 'private.told_issues'))
      await app.stack.sql(
        'update public.locations set looked_ahead_at = null, ahead_tried_at = null, ahead_until = null',
      )
    },
    passTo,
    async syncAt(minutes, how = 'sync') {
      await passTo(minutes)
      const [method, path] = how === 'sync' ? ['POST', '/api/sync'] : ['GET', '/api/cron/sync']
      const headers = { authorization: `Bearer ${app.cronSecret}` }
      const { status, body } = await answer(await app.client().request(method, path, { headers }))
      expect(status).toBe(200)
      return body
    },
    statuses: async () => Object.fromEntries((await bookings()).map(({ id, status }) => [id, status])),
    missing: async () =>
      (await bookings()).flatMap(({ id, pms_status }) => (pms_status === 'missing' ? id : [])),
    fourHoursLater: () =>
      app.stack.sql(
        `update public.locations set looked_ahead_at = looked_ahead_at - interval '4 hours 1 minute'`,
      ),
    async lastRun() {
      const [run] = await app.stack.sql<{
        status: string
        result: { issues: object[]; locations: { name: string; missing: string[] }[] }
      }>(`select status, result from public.job_runs where job = 'sync' order by started_at desc limit 1`)
      const { issues = [], locations = [] } = run?.result ?? {}
      const missing = Object.fromEntries(locations.map((one) => [one.name, one.missing]))
      return { status: run?.status ?? '', issues, missing }
    },
  }
}

function truthOf(
  id: string,
  { time = '21:00', state = 1, name = id, pax = 2, table }: Booking,
  date: string,
): TruthRow {
  const email = `${id}@correo.example`
  const row: ExternalRow = {
    ...{ id, restaurante_id: 'book', date, time, client_name: name, client_email: email, pax, state },
    ...(table ? { table_name: table } : {}),
  }
  return {
    ...{ row, personId: null, person: null, externalId: id, date, time, partySize: pax },
    ...{ status: 'confirmed', visited: null, rawEmail: email, rawPhone: null },
  }
}
