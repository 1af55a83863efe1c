import { beforeEach, expect, it } from 'vitest'
import { createReservation } from '../factories/messaging'
import {
  ANA,
  app,
  automate,
  BEA,
  claim,
  enqueue,
  group,
  guest,
  locationId,
  sql,
  statuses,
  withOutbox,
} from '../support/outbox'

// The message after a no-show: to whom, and what overtakes it while it waits. tests/api/audience.test.ts has its window.
withOutbox()

/** 21:00 in Madrid. */
const MISSED = '2026-11-19T20:00:00Z'
const hoursLater = (hours: number) => new Date(Date.parse(MISSED) + hours * 3_600_000)
/** 10:00 in Madrid, two days later. */
const MORNING = hoursLater(37)

let ana: string
let missed: string
beforeEach(async () => {
  await sql('update public.organizations set frequency_cap_days = 0')
  ana = await guest(ANA)
  missed = await reserve({ customer_id: ana, status: 'no_show' })
})

const reserve = (row: Record<string, unknown>) =>
  createReservation(app.stack, group.id, {
    location_id: locationId('Norte'),
    reservation_date: '2026-11-19',
    created_at: '2026-11-10T11:00:00Z',
    ...row,
  })
const afterNoShow = () => automate({ type: 'no_show', criteria: {}, control_share: 0 })

it('goes once a reservation, from a day to three days after its time', async () => {
  const automation = await afterNoShow()
  for (const hours of [23, 73]) await enqueue(automation, hoursLater(hours))
  expect(await statuses()).toEqual([])
  await enqueue(automation, MORNING)
  expect((await claim(MORNING)).messages.map(({ recipient }) => recipient)).toEqual([ANA.email])
  await sql("update public.messages set status = 'sent', sent_at = $1", [MORNING])
  await enqueue(automation, hoursLater(40))
  expect(await statuses()).toEqual(['Ana: sent'])
})

it.each([
  ['a reservation that was kept', { status: 'completed' }],
  ['a cancelled one', { status: 'cancelled' }],
  ['one that nobody marked', { status: 'confirmed' }],
  ['one of an old file', { status: 'no_show', source: 'import' }],
])('does not go about %s', async (_, row) => {
  await sql('delete from public.reservations')
  await reserve({ customer_id: ana, ...row })
  await enqueue(await afterNoShow(), MORNING)
  expect(await statuses()).toEqual([])
})

it('does not go about a party without a guest on record', async () => {
  await sql('update public.reservations set customer_id = null')
  await enqueue(await afterNoShow(), MORNING)
  expect(await statuses()).toEqual([])
})

const SINCE = { reservation_date: '2026-11-20', created_at: '2026-11-10T11:00:00Z' }
const AGAIN = { reservation_date: '2026-12-04', created_at: hoursLater(1) }
it.each<[string, Record<string, unknown>]>([
  ['came the day after, booked before', { ...SINCE, status: 'completed' }],
  ['sits at another table of the group', { ...SINCE, status: 'seated', location: 'Isla' }],
  ['has just arrived', { ...SINCE, status: 'confirmed', arrived_at: hoursLater(24) }],
  ['came later that evening', { reservation_time: '22:30', status: 'completed' }],
  ['has booked again', AGAIN],
  ['has booked again and cancelled', { ...AGAIN, status: 'cancelled' }],
])('does not go to a guest who %s, before or while it waits', async (_, { location, ...row }) => {
  const back = { ...row, customer_id: ana, location_id: locationId(String(location ?? 'Norte')) }
  await reserve(back)
  const automation = await afterNoShow()
  await enqueue(automation, MORNING)
  expect(await statuses()).toEqual([])

  await sql('delete from public.reservations where id <> $1', [missed])
  await enqueue(automation, MORNING)
  expect(await statuses()).toEqual(['Ana: queued'])
  await reserve(back)
  expect((await claim(MORNING)).messages).toEqual([])
  expect(await statuses()).toEqual(['Ana: booked'])
})

it.each<[string, Record<string, unknown>]>([
  ['came before', { reservation_date: '2026-11-18', status: 'completed' }],
  ['has a later booking in an old file', { ...AGAIN, source: 'import' }],
  ['had booked for a later day before', { reservation_date: '2026-12-04' }],
  [
    'missed another table, of which the sync came late',
    { reservation_time: '20:00', status: 'no_show', created_at: MORNING },
  ],
  ['is another guest than the one who came', { ...SINCE, status: 'completed', other: true }],
])('goes to a guest who %s', async (_, { other, ...row }) => {
  await reserve({ ...row, customer_id: other ? await guest(BEA) : ana })
  await enqueue(await afterNoShow(), MORNING)
  expect(await statuses()).toContain('Ana: queued')
  expect((await claim(MORNING)).messages.length).toBeGreaterThan(0)
})

it('counts no booking as its own successor, however late the sync brought it', async () => {
  await sql('update public.reservations set created_at = $1', [hoursLater(30)])
  await enqueue(await afterNoShow(), MORNING)
  expect(await statuses()).toEqual(['Ana: queued'])
})

it.each(['confirmed', 'seated', 'completed', 'cancelled'])(
  'does not go when the no-show was taken back while it waited: %s',
  async (status) => {
    const night = hoursLater(26)
    await enqueue(await afterNoShow(), night)
    expect((await claim(night)).messages).toEqual([])
    expect(await statuses()).toEqual(['Ana: queued'])
    await sql('update public.reservations set status = $1', [status])
    expect((await claim(MORNING)).messages).toEqual([])
    expect(await statuses()).toEqual(['Ana: reservation_changed'])
  },
)

it('does not go when the reservation is gone', async () => {
  await enqueue(await afterNoShow(), MORNING)
  await sql('delete from public.reservations')
  await claim(MORNING)
  expect(await statuses()).toEqual(['Ana: reservation_changed'])
})
