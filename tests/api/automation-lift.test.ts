import { beforeAll, describe, expect, it } from 'vitest'
import { automationLift, liftsOfAutomations } from '@/lib/automations/lift'
import type { AutomationLift } from '@/lib/automations/lift-schema'
import { createReservation } from '../factories/messaging'
import { createRandom } from '../fakes/pms/random'
import { campaign } from '../support/drawn-campaigns'
import { addPool, playCampaign } from '../support/lift-campaigns'
import { LOOKUPS, lookUp } from '../support/lookups'
import {
  app,
  automate,
  enqueue,
  group,
  guest,
  later,
  locationId,
  NOON,
  sql,
  withOutbox,
} from '../support/outbox'

withOutbox()

const days = (count: number) => later(count * 24 * 60)
const date = (count: number) => days(count).toISOString().slice(0, 10)

async function lift(automation: string, now: Date, locations?: string[]): Promise<AutomationLift> {
  const boss = await group.person('marketing', locations)
  const session = {
    db: boss.db,
    user_id: boss.id,
    role: 'marketing',
    organization: group.organization,
  } as const
  return automationLift(session, automation, now)
}

describe.each(LOOKUPS)('the comparison, looked up %s,', (how) => {
  beforeAll(() => lookUp(sql, how))

  it('counts visits booked and made in the 30 days after a guest began, by location, once those days are over', async () => {
    const automation = await automate({ control_share: 50 })
    for (let n = 0; n < 12; n++) await guest({ first_name: `G${n}`, email: `g${n}@example.com` })
    await sql('update public.locations set average_spend_per_guest = 20')
    await enqueue(automation)
    // The draw of twelve could leave a group without anyone.
    await sql(
      `update private.enrolments set held = customer_id in (
         select customer_id from private.enrolments where automation_id = $1 order by customer_id limit 6)
       where automation_id = $1`,
      [automation],
    )
    const of = async (held: boolean) =>
      (
        await sql<{ id: string }>(
          'select customer_id::text as id from private.enrolments where automation_id = $1 and held = $2 order by 1',
          [automation, held],
        )
      ).map(({ id }) => id)
    const [held, treated] = [await of(true), await of(false)]
    const booked = (customer_id: string | undefined, booked: number, on: number, more: object = {}) =>
      createReservation(app.stack, group.id, {
        customer_id,
        location_id: locationId('Norte'),
        created_at: days(booked),
        reservation_date: date(on),
        status: 'completed',
        total_amount: 100,
        ...more,
      })
    const [ana, bea] = treated
    await booked(ana, 1, 2)
    await booked(ana, 3, 29, { total_amount: null, party_size: 3 })
    await booked(bea, 1, 4, { location_id: locationId('Isla'), total_amount: 10 })
    // None of these: booked before, after the 30 days, cancelled, not come, nobody of either group.
    await booked(bea, -1, 3)
    await booked(bea, 2, 31)
    await booked(bea, 2, 5, { status: 'cancelled' })
    await booked(bea, 2, 6, { status: 'no_show' })
    await booked(await guest({ first_name: 'Ajena', email: 'ajena@example.com' }), 2, 7)
    await booked(held[0], 5, 10, { total_amount: 40 })

    const none = { came: 0, visits: 0, revenue: 0, estimated_revenue: 0 }
    expect(await lift(automation, days(31))).toMatchObject({
      waiting: 12,
      treated: { guests: 0, ...none },
      control: { guests: 0, ...none },
      visits: { known: 'no_control' },
    })
    expect(await lift(automation, days(32))).toMatchObject({
      ...{ control_share: 50, days: 30, waiting: 0 },
      treated: { guests: treated.length, came: 2, visits: 3, revenue: 170, estimated_revenue: 60 },
      control: { guests: held.length, came: 1, visits: 1, revenue: 40, estimated_revenue: 0 },
      visits: { known: 'too_few', per_thousand: null, low: null, high: null },
    })
    await sql(`update public.automations set location_ids = array[$2]::uuid[] where id = $1`, [
      automation,
      locationId('Isla'),
    ])
    expect(await lift(automation, days(32), [locationId('Isla')])).toMatchObject({
      treated: { guests: treated.length, came: 1, visits: 1, revenue: 10 },
      control: { guests: held.length, came: 0, visits: 0 },
    })
  })

  it('leaves out guests who began twice, because two records were merged, until the merge is undone', async () => {
    const automation = await automate({ control_share: 50 })
    for (let n = 0; n < 30; n++) await guest({ first_name: `G${n}`, email: `g${n}@example.com` })
    await enqueue(automation)
    const sizes = async () => {
      const { treated, control, waiting } = await lift(automation, days(40))
      return { treated: treated.guests, control: control.guests, waiting }
    }
    const before = await sizes()
    const enrolled = await sql<{ id: string; held: boolean }>(
      'select customer_id::text as id, held from private.enrolments order by 1',
    )
    const [held, ...others] = enrolled.filter((one) => one.held)
    const [one, two, three] = enrolled.filter((one) => !one.held)
    const boss = await group.person('admin')
    const merge = async (kept?: { id: string }, gone?: { id: string }) => {
      const ids = { p_id: kept?.id ?? '', p_duplicate_id: gone?.id ?? '' }
      const { data } = await boss.db.rpc('merge_customers', ids).throwOnError()
      return (data as { merge_id: string }).merge_id
    }
    const mixed = await merge(one, held)
    expect(await sizes()).toEqual({ treated: before.treated - 1, control: others.length, waiting: 0 })
    await merge(two, three)
    expect(await sizes()).toEqual({ treated: before.treated - 3, control: others.length, waiting: 0 })
    await boss.db.rpc('undo_merge', { p_id: mixed }).throwOnError()
    expect(await sizes()).toEqual({ treated: before.treated - 2, control: before.control, waiting: 0 })
  })

  it('compares several automations in one query, each with its own guests', async () => {
    const [one, two, empty] = [
      await automate({ control_share: 50 }),
      await automate({ name: 'Otra', control_share: 20 }),
      await automate({ name: 'Nueva', control_share: 0 }),
    ]
    for (let n = 0; n < 12; n++) await guest({ first_name: `G${n}`, email: `g${n}@example.com` })
    await enqueue(one)
    await enqueue(two)
    const boss = await group.person('marketing')
    const session = {
      db: boss.db,
      user_id: boss.id,
      role: 'marketing',
      organization: group.organization,
    } as const
    const lifts = await liftsOfAutomations(session, [one, two, empty, group.id], days(40))
    expect([...lifts.keys()].sort()).toEqual([one, two, empty].sort())
    expect(lifts.get(one)).toEqual(await lift(one, days(40)))
    expect(lifts.get(two)).toEqual(await lift(two, days(40)))
    const both = lifts.get(one)
    expect((both?.treated.guests ?? 0) + (both?.control.guests ?? 0)).toBe(12)
    expect(lifts.get(two)).toMatchObject({ control_share: 20 })
    expect(lifts.get(empty)).toMatchObject({ control_share: 0, waiting: 0, treated: { guests: 0 } })
  })

  it('answers 404 for another group’s automation', async () => {
    const id = '00000000-0000-4000-8000-000000000000'
    await expect(lift(id, NOON)).rejects.toMatchObject({ status: 404 })
  })
})

it('adds up in SQL the visits that were drawn for simulated campaigns', async () => {
  const random = createRandom('lift')
  await addPool({ stack: app.stack, group })
  for (let nth = 0; nth < 3; nth++) {
    const drawn = { ...campaign(random), guests: 100 * (nth + 1) }
    const played = await playCampaign({ stack: app.stack, group }, drawn, random, nth)
    const { found, treated, control } = played
    expect(found.treated).toMatchObject({ ...treated, revenue: expect.closeTo(treated.revenue, 2) })
    expect(found.control).toMatchObject({ ...control, revenue: expect.closeTo(control.revenue, 2) })
    expect(found.treated.guests + found.control.guests).toBe(drawn.guests)
  }
})
