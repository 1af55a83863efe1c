import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditPage, filtersOf } from '@/lib/audit/filters'
import { sessionOf } from '@/lib/auth/session'
import type { CalendarEvent } from '@/lib/calendar/schema'
import { addDays, instantAt, localDate, localTime } from '@/lib/dates'
import { zoneOf } from '@/lib/locations/chosen-location'
import type { Location } from '@/lib/locations/locations'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

const ZONE = 'America/New_York'
let app: TestApp
let group: Group
let other: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Uptown', [{ name: 'Tokio', slug: 'tokio', timezone: 'Asia/Tokyo' }])
  other = await createGroup(app.stack, 'Otro', [{ name: 'Norte', slug: 'norte' }])
  await app.stack.sql('update public.organizations set timezone = $1 where id = $2', [ZONE, group.id])
  boss = await signedIn(await group.person('admin'))
})
afterAll(() => app?.close())

const one = async <Row>(query: string, parameters: unknown[]) =>
  (await app.stack.sql<Row>(query, parameters))[0]

it('is that of a location of its own, else the group’s setting', async () => {
  const [tokio, norte] = [group.locations[0]?.id, other.locations[0]?.id]
  expect(
    await one(
      'select private.zone_of($1) as group, private.zone_of($1, $2) as own, private.zone_of($1, $3) as foreign',
      [group.id, tokio, norte],
    ),
  ).toEqual({ group: ZONE, own: 'Asia/Tokyo', foreign: ZONE })
})

it('keeps the hour of a series without a location when its clocks change', async () => {
  const first = addDays(localDate(new Date(), ZONE), 1)
  const event = {
    title: 'Inventory',
    event_datetime: instantAt(`${first}T10:00`, ZONE).toISOString(),
    repeat: { frequency: 'monthly', every: 1, weekdays: null, until: null, count: 12 },
  }
  const made = await answer(await boss.request('POST', '/api/calendar-events', { body: event }))
  expect(made.status).toBe(201)
  const list = await answer(
    await boss.request('GET', '/api/calendar-events?from=2000-01-01T00:00:00Z&limit=200'),
  )
  const events: CalendarEvent[] = list.body.data
  expect(events.length).toBeGreaterThan(5)
  expect(new Set(events.map(({ event_datetime }) => localTime(event_datetime, ZONE).slice(11)))).toEqual(
    new Set(['10:00']),
  )
})

describe('when its clock, or that of a location, becomes another', () => {
  const first = addDays(localDate(new Date(), ZONE), 1)
  const create = async (event: object) => {
    const made = await answer(await boss.request('POST', '/api/calendar-events', { body: event }))
    expect(made.status).toBe(201)
    return made.body.data as CalendarEvent
  }
  /** The dates and local times of the events of a title, as their clock shows them. */
  const shown = async (title: string, zone: string) => {
    const list = await answer(
      await boss.request('GET', '/api/calendar-events?from=2000-01-01T00:00:00Z&limit=200'),
    )
    const events: CalendarEvent[] = list.body.data
    return events
      .filter((event) => event.title === title)
      .map(({ event_datetime }) => localTime(event_datetime, zone))
  }
  const places = [
    ['the group', null, 'organizations', ZONE, 'Atlantic/Canary'],
    ['a location', 0, 'locations', 'Asia/Tokyo', 'Europe/Madrid'],
  ] as const
  const weekly = { frequency: 'weekly', every: 1, weekdays: null, until: null, count: 4 }
  const weeks = (time: string, days = 0) => [0, 7, 14, 21].map((n) => `${addDays(first, n + days)}T${time}`)

  it.each(places)(
    'series and all-day events of %s keep their dates and times, and are not announced again',
    async (name, place, table, before, after) => {
      const location = place === null ? null : group.locations[place]
      const at = { location_id: location?.id ?? null, repeat: weekly }
      const id = location?.id ?? group.id
      const begins = instantAt(`${first}T00:30`, before).toISOString()
      const timed = await create({ title: `Cata ${name}`, event_datetime: begins, ...at })
      const whole = await create({ title: `Feria ${name}`, starts_on: first, ...at })
      const rounds = () =>
        app.stack.sql(
          `select notification_round as one, reminder_round as other, count(*)::int from public.calendar_events
           where starts_on is not null and title = $1 group by 1, 2`,
          [`Feria ${name}`],
        )
      const announced = await rounds()
      await app.stack.sql(`update public.${table} set timezone = $1 where id = $2`, [after, id])
      expect(await shown(`Cata ${name}`, after)).toEqual(weeks('00:30'))
      expect(await shown(`Feria ${name}`, after)).toEqual(weeks('00:00'))
      expect(await rounds()).toEqual(announced)
      const change = async (event: CalendarEvent, body: object) =>
        expect(
          (
            await boss.request('PATCH', `/api/calendar-events/${event.id}?scope=all`, {
              body: { ...body, title: `${event.title} 2` },
            })
          ).status,
        ).toBe(200)
      await change(whole, {})
      expect(await shown(`Feria ${name} 2`, after)).toEqual(weeks('00:00'))
      await change(timed, { event_datetime: instantAt(`${first}T00:45`, after).toISOString() })
      expect(await shown(`Cata ${name} 2`, after)).toEqual(weeks('00:45'))
      await app.stack.sql(`update public.${table} set timezone = $1 where id = $2`, [before, id])
    },
  )

  it('a single event stays at its instant', async () => {
    const begins = instantAt(`${first}T20:00`, ZONE).toISOString()
    await create({ title: 'Una vez', event_datetime: begins })
    await app.stack.sql(`update public.organizations set timezone = 'Atlantic/Canary' where id = $1`, [
      group.id,
    ])
    expect(await shown('Una vez', ZONE)).toEqual([`${first}T20:00`])
    await app.stack.sql('update public.organizations set timezone = $2 where id = $1', [group.id, ZONE])
  })
})

it('is when a campaign begins for guests without a location', async () => {
  const starts = async (locations: (string | undefined)[]) => {
    const row = await one<{ at: string }>(
      `select private.campaign_starts(jsonb_populate_record(null::public.campaigns, jsonb_build_object(
         'organization_id', $1::text, 'starts_local', '2026-12-01T10:00', 'location_ids', $2::jsonb))) as at`,
      [group.id, JSON.stringify(locations)],
    )
    return new Date(row?.at ?? '').toISOString()
  }
  expect(await starts([group.locations[0]?.id])).toBe('2026-12-01T01:00:00.000Z')
  // Tokyo is the first of both, too.
  expect(await starts([])).toBe('2026-12-01T01:00:00.000Z')
  await app.stack.sql(
    `update public.locations set timezone = 'Pacific/Honolulu' where organization_id = $1`,
    [group.id],
  )
  expect(await starts([])).toBe('2026-12-01T15:00:00.000Z')
})

it('is the clock by which guests without a location get a campaign, and by which it waits for the morning', async () => {
  const { id: organization } = group
  await app.stack.sql(
    `insert into public.customers (organization_id, phone, total_visits, consents)
     values ($1, '+34611000001', 1, '{"sms": {"basis": "opt_in", "source": "staff"}}')`,
    [organization],
  )
  const heldWith = async (quiet_from: string) => {
    await app.stack.sql(
      `update public.organizations set quiet_from = $2, quiet_until = '09:00', control_share = 0 where id = $1`,
      [organization, quiet_from],
    )
    const made = await answer(
      await boss.request('POST', '/api/segments', {
        body: { name: `Todos ${quiet_from}`, shared: true, definition: { field: 'visits', min: 0 } },
      }),
    )
    const body = {
      segment_id: made.body.data.id,
      starts_local: '2031-01-15T20:00',
      messages: [{ step: 1, channel: 'sms', body: 'Hola' }],
    }
    return (await answer(await boss.request('POST', '/api/campaigns/preview', { body }))).body.data
  }
  expect(await heldWith('21:00')).toMatchObject({ matched: 1, held_by_quiet_hours: 0 })
  expect(await heldWith('19:00')).toMatchObject({ matched: 1, held_by_quiet_hours: 1 })
})

it('is in which mails tell times of what has no location', async () => {
  const boss = await group.person('admin')
  const row = await one(
    `with guest as (
       insert into public.customers (organization_id, email) values ($1, 'noche@example.com') returning *),
     event as (
       insert into public.calendar_events (organization_id, title, event_datetime, customer_id, assignee_id)
       select $1, 'Cata', now() + interval '30 minutes', g.id, $2 from guest g returning id)
     select private.ticket_content('ticket_sla', jsonb_populate_record(null::public.tickets,
         jsonb_build_object('organization_id', o.id)), '') ->> 'timezone' as ticket
     from guest g join public.organizations o on o.id = g.organization_id, event`,
    [group.id, boss.id],
  )
  for (const job of ['queue_event_notifications', 'queue_event_reminders'])
    await app.stack.sql(`select public.${job}($1, now(), 10)`, [group.id])
  const mails = await app.stack.sql(
    `select distinct purpose, content ->> 'timezone' as timezone from public.messages
     where organization_id = $1 and about_type = 'calendar_event' order by 1`,
    [group.id],
  )
  expect({ row, mails }).toEqual({
    row: { ticket: ZONE },
    mails: [
      { purpose: 'event_notification', timezone: ZONE },
      { purpose: 'event_reminder', timezone: ZONE },
    ],
  })
})

it('is where the days of the audit log begin and end', async () => {
  const shown = auditPage.read({ from: '2026-11-20', to: '2026-11-20' })
  expect(filtersOf(shown, ZONE)).toMatchObject({
    from: '2026-11-20T05:00:00.000Z',
    to: '2026-11-21T05:00:00.000Z',
  })
})

describe('the clock of a page', () => {
  const place = (timezone: string, is_active = true) => ({ timezone, is_active }) as Location
  const session = { organization: { id: '', name: '', slug: '', timezone: ZONE } }
  const [tokyo, madrid] = [place('Asia/Tokyo'), place('Europe/Madrid')]
  it.each([
    ['that of the chosen location', [tokyo, madrid], madrid, 'Europe/Madrid'],
    ['the one that all of the person’s locations share', [tokyo, tokyo], undefined, 'Asia/Tokyo'],
    ['that of the active ones', [tokyo, place('Europe/Madrid', false)], undefined, 'Asia/Tokyo'],
    ['that of the group, when they differ', [tokyo, madrid], undefined, ZONE],
    ['that of the group, without a location', [], undefined, ZONE],
  ])('is %s', (_, locations, chosen, zone) => {
    expect(zoneOf(session, locations, chosen)).toBe(zone)
  })
})

it('is known to the session', async () => {
  const session = await sessionOf((await group.person('marketing')).db)
  expect(session?.organization).toMatchObject({ id: group.id, timezone: ZONE })
})
