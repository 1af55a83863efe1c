import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { offerFreedTables } from '@/lib/waitlist/offer-tables'
import { createReservation } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, group, later, runAt, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

withDelivery()
/** 20:30 in Madrid, in minutes after noon. */
const EVENING = 8 * 60 + 30
const number = (n: number) => `+3460000${String(4000 + n)}`
afterAll(() => vi.useRealTimers())

let host: Client
let colleague: Client
let places: string[]
beforeAll(async () => {
  places = group.locations.map(({ id }) => id)
})
beforeEach(async () => {
  await waitForDetachedWork()
  await sql(emptyTables('waitlist', 'reservations', 'customers'))
})

let count = 0
const wait = async (phone = number(++count), place = 0) => {
  const [row] = await sql<{ id: string }>(
    `insert into public.waitlist (organization_id, location_id, name, phone, party_size)
     values ($1, $2, 'Lucía', $3, 2) returning id::text`,
    [group.id, places[place], phone],
  )
  return row?.id ?? ''
}
const call = async (id: string, client = host) =>
  answer(await client.request('PATCH', `/api/waitlist/${id}`, { body: { action: 'call' } }))

describe('messages to a waiting party', () => {
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    at(0)
    host = await signedIn(await group.person('operaciones'))
  })
  beforeEach(() => at(0))
  const at = (minutes: number) => vi.setSystemTime(later(EVENING + minutes))
  /** What the provider accepts when it works again after so many minutes. */
  const sentAfter = async (minutes: number) => {
    at(minutes)
    twilio.setFault(null)
    await runAt(later(EVENING + minutes))
    return twilio.accepted.length
  }

  it.each([
    [14, 1],
    [16, 0],
  ])('after %i minutes "your table is ready" is sent %i times', async (minutes, times) => {
    twilio.setFault({ kind: 'rate_limit', retryAfter: 300 })
    expect((await call(await wait())).status).toBe(200)
    expect(await sentAfter(minutes)).toBe(times)
  })

  it.each([
    [14, 1],
    [16, 0],
  ])('after %i minutes an offer of 15 is sent %i times', async (minutes, times) => {
    await sql('update public.organizations set offer_tables_minutes = 15')
    await createReservation(app.stack, group.id, {
      ...{ location_id: places[0], reservation_date: '2026-11-20', table_name: '4', status: 'cancelled' },
    })
    await wait()
    twilio.setFault({ kind: 'rate_limit', retryAfter: 300 })
    await offerFreedTables(group.id)
    expect(await sentAfter(minutes)).toBe(times)
  })
})

describe('calls', () => {
  beforeAll(async () => {
    vi.useRealTimers()
    host = await signedIn(await group.person('operaciones'))
    colleague = await signedIn(await group.person('operaciones'))
  })

  it('write to a number once in two minutes, whatever the party', async () => {
    const phone = number(++count)
    expect((await call(await wait(phone))).status).toBe(200)
    const again = await wait(phone, 1)
    expect(await call(again, colleague)).toEqual(refusal('CALLED_JUST_NOW'))
    expect(twilio.accepted).toHaveLength(1)
    await sql(`update public.messages set created_at = created_at - interval '2 minutes'`)
    expect((await call(again, colleague)).status).toBe(200)
    expect(twilio.accepted).toHaveLength(2)
  })

  it('write 60 times an hour at most, a person and a location; those by voice have no limit', async () => {
    for (let n = 0; n < 60; n++) expect((await call(await wait())).status).toBe(200)
    expect(await call(await wait(undefined, 1))).toEqual(refusal('TOO_MANY_CALLS'))
    expect(await call(await wait(), colleague)).toEqual(refusal('TOO_MANY_CALLS'))
    expect(twilio.accepted).toHaveLength(60)
    expect((await call(await wait(undefined, 1), colleague)).status).toBe(200)
    const [silent] = await sql<{ id: string }>(
      `insert into public.waitlist (organization_id, location_id, name, party_size) values ($1, $2, 'Luis', 2)
       returning id::text`,
      [group.id, places[0]],
    )
    expect((await call(silent?.id ?? '')).body).toMatchObject({ data: { channel: null } })
  }, 120_000)
})
