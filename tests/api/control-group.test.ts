import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { OutboundMessage, Outcome } from '@/lib/messaging/provider'
import { createReservation, DECLARED } from '../factories/messaging'
import {
  ANA,
  app,
  automate,
  claim,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  later,
  locationId,
  NOON,
  sql,
  withOutbox,
} from '../support/outbox'

withOutbox()
beforeEach(() => sql('update public.organizations set frequency_cap_days = 0'))

const days = (count: number) => later(count * 24 * 60)
const guests = async (count: number, tag = 'x') =>
  sql(
    `insert into public.customers (organization_id, email, total_spend, total_visits, consents)
     select $1, $3 || n || '@example.com', 500, 1, $4::jsonb from generate_series(1, $2) n`,
    [group.id, count, tag, JSON.stringify(DECLARED)],
  )
const share = (automation: string, percent: number | null) =>
  sql('update public.automations set control_share = $2 where id = $1', [automation, percent])
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()
const everyone = async () => idsOf(await sql<{ id: string }>('select id::text from public.customers'))
const enrolled = async (automation: string, held: boolean) =>
  idsOf(
    await sql<{ id: string }>(
      'select customer_id::text as id from private.enrolments where automation_id = $1 and held = $2',
      [automation, held],
    ),
  )
/** The customers of messages with another end than the control group. */
const planned = async (automation: string) =>
  idsOf(
    await sql<{ id: string }>(
      `select distinct customer_id::text as id from public.messages
       where automation_id = $1 and reason is distinct from 'control_group'`,
      [automation],
    ),
  )
/** When groups began. */
const moments = async () =>
  (await sql<{ at: string }>('select distinct enrolled_at::text as at from private.enrolments')).map(
    ({ at }) => new Date(at).getTime(),
  )
/** The draw, computed apart from the database. */
const drawn = (automation: string, ids: string[], percent: number) =>
  ids.filter((id) => {
    const hash = createHash('md5').update(`${automation}${id}`).digest()
    return hash.readUInt32BE(0) / 2 ** 32 < percent / 100
  })

describe('the control group', () => {
  it('is drawn by automation and customer, recorded with its moment, and stays the same for good', async () => {
    await guests(500)
    const all = await everyone()
    const [one, two] = [await automate({ control_share: 20 }), await automate({ control_share: 20 })]
    await enqueue(one)
    await enqueue(two)
    const held = await enrolled(one, true)
    expect(held).toEqual(drawn(one, all, 20))
    expect(await enrolled(two, true)).toEqual(drawn(two, all, 20))
    expect(held).not.toEqual(await enrolled(two, true))
    expect([...held, ...(await enrolled(one, false))].sort()).toEqual(all)
    expect(await planned(one)).toEqual(all.filter((id) => !held.includes(id)))
    expect(await moments()).toEqual([NOON.getTime()])

    // By hand at once, by the schedule, and when the reward is due again.
    await enqueue(one, later(1))
    await enqueue(one, days(3), { p_triggered_by: 'schedule' })
    await enqueue(one, days(70))
    expect(await enrolled(one, true)).toEqual(held)
    expect((await planned(one)).filter((id) => held.includes(id))).toEqual([])
    expect(await sql('select count(*)::int as n from private.enrolments')).toEqual([{ n: 1000 }])
  })

  it('keeps everyone in the group they began in when the share changes', async () => {
    await guests(200)
    const automation = await automate({ control_share: 10 })
    await enqueue(automation)
    const [held, treated] = [await enrolled(automation, true), await enrolled(automation, false)]
    await guests(200, 'y')
    await share(automation, 50)
    await enqueue(automation, days(70))
    const fresh = (await everyone()).filter((id) => !held.includes(id) && !treated.includes(id))
    expect(await enrolled(automation, true)).toEqual([...held, ...drawn(automation, fresh, 50)].sort())
    await share(automation, 1)
    await enqueue(automation, days(140))
    expect((await planned(automation)).filter((id) => held.includes(id))).toEqual([])
  })

  it('is as large as the group says where the automation has no share of its own, and by default nobody', async () => {
    await guests(100)
    await sql('update public.organizations set control_share = 30')
    const [own, groups] = [await automate(), await automate({ control_share: null })]
    await enqueue(own)
    await enqueue(groups)
    expect(await enrolled(own, true)).toEqual([])
    expect(await enrolled(groups, true)).toEqual(drawn(groups, await everyone(), 30))
    await sql('update public.organizations set control_share = 10')
  })

  it('is turned off by a share of 0: everyone is written to, and guests whose days are not over are not compared', async () => {
    await guests(60)
    const automation = await automate({ type: 'post_visit', criteria: {}, control_share: 50 })
    const visit = (date: string) =>
      sql(
        `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
           party_size, status, source)
         select organization_id, $1, id, $2::date, '21:00', 2, 'completed', 'pms' from public.customers`,
        [locationId('Norte'), date],
      )
    const heldAt = async (now: Date) =>
      idsOf(
        await sql<{ id: string }>(
          `select customer_id::text as id from public.messages where reason = 'control_group' and created_at = $1`,
          [now],
        ),
      )
    const began = async () =>
      (await enrolled(automation, true)).length + (await enrolled(automation, false)).length
    await visit('2026-11-18')
    await enqueue(automation)
    const held = await heldAt(NOON)
    expect(held).toEqual(drawn(automation, await everyone(), 50))
    await visit('2026-12-29')
    await enqueue(automation, days(41))
    expect(await heldAt(days(41))).toEqual(held)
    await guests(20, 'late')
    await visit('2027-01-08')
    await enqueue(automation, days(51))
    expect(await began()).toBe(80)

    await share(automation, 0)
    await visit('2027-01-18')
    await enqueue(automation, days(61))
    expect(await heldAt(days(61))).toEqual([])
    expect(await planned(automation)).toEqual(await everyone())
    // The 20 who began ten days ago are forgotten, in both groups; the days of the others are over.
    expect(await began()).toBe(60)

    await share(automation, 50)
    await visit('2027-01-28')
    await enqueue(automation, days(71))
    expect(await heldAt(days(71))).toEqual(drawn(automation, await everyone(), 50))
  })

  it('holds nobody back from a confirmation', async () => {
    for (let n = 0; n < 20; n++) {
      const customer_id = await guest({ first_name: `G${n}`, email: `g${n}@example.com` })
      const at = { location_id: locationId('Norte'), reservation_date: '2026-11-21' }
      await createReservation(app.stack, group.id, { ...at, customer_id })
    }
    const automation = await automate({ type: 'reservation_confirmation', criteria: {}, control_share: 50 })
    await enqueue(automation)
    expect(await planned(automation)).toHaveLength(20)
    expect(await sql('select * from private.enrolments')).toEqual([])
  })

  it('is not written to whatever providers do, and however often it is tried again', async () => {
    await guests(120)
    const automation = await automate({ control_share: 30 })
    const outcomes: Outcome['kind'][] = ['permanent', 'retryable', 'ambiguous', 'accepted']
    let count = 0
    const fickle = ({ id }: OutboundMessage): Outcome => {
      const kind = outcomes[count++ % outcomes.length]
      if (kind === 'accepted') return { kind, providerId: `fake-${id}` }
      return { kind, reason: 'unreachable' } as Outcome
    }
    const { sent, providers } = fakeProvider(fickle)
    for (const at of [0, 1, 2, 70]) {
      await enqueue(automation, days(at))
      // A process dies with messages in hand.
      await claim(days(at), 'email', 10)
      await sql('select public.sweep_leases($1)', [new Date(days(at).getTime() + 120_000)])
      for (const minutes of [3, 30, 300])
        await drainAt(new Date(days(at).getTime() + minutes * 60_000), providers)
    }
    const held = await sql<{ email: string }>(
      'select c.email from private.enrolments e join public.customers c on c.id = e.customer_id where e.held',
    )
    expect(held.length).toBeGreaterThan(15)
    const reached = new Set(sent.map(({ recipient }) => recipient))
    expect(reached.size).toBe(120 - held.length)
    expect(held.filter(({ email }) => reached.has(email))).toEqual([])
  })

  it.each([
    ['queued', 'null'],
    ['to be tried again', 'created_at'],
  ])(
    'takes back a message that is %s when its guest is merged with one of the group',
    async (_, frozenAt) => {
      await guests(30)
      const automation = await automate({ control_share: 50 })
      await enqueue(automation)
      await sql(`update public.messages set frozen_at = ${frozenAt} where status = 'queued'`)
      const [[held = ''], [treated = '']] = [
        await enrolled(automation, true),
        await enrolled(automation, false),
      ]
      const boss = await group.person('admin')
      const ids = { p_id: treated, p_duplicate_id: held }
      const { data } = await boss.db.rpc('merge_customers', ids).throwOnError()
      const { messages } = await claim()
      expect(messages).toHaveLength((await enrolled(automation, false)).length - 1)
      expect(
        await sql(`select status, reason from public.messages where customer_id = $1`, [treated]),
      ).toEqual([expect.objectContaining({ status: 'skipped', reason: 'control_group' })])
      await boss.db.rpc('undo_merge', { p_id: (data as { merge_id: string }).merge_id }).throwOnError()
      expect(await enrolled(automation, true)).toContain(held)
      expect(await enrolled(automation, false)).toContain(treated)
    },
  )

  it('has not begun with a run that is refused', async () => {
    await guests(40)
    await sql('update public.organizations set approve_above = 1')
    const automation = await automate({ control_share: 50 })
    const { run_id } = await enqueue(automation)
    const held = await enrolled(automation, true)
    expect(held.length).toBeGreaterThan(5)
    await sql(`update public.automation_runs set status = 'refused' where id = $1`, [run_id])
    expect(await sql('select * from private.enrolments')).toEqual([])
    await sql('update public.organizations set approve_above = null')
    await sql(`update public.messages set status = 'skipped', reason = 'refused' where status = 'queued'`)
    await enqueue(automation, days(2))
    expect(await enrolled(automation, true)).toEqual(held)
    expect(await moments()).toEqual([days(2).getTime()])
  })

  it('is counted in the preview', async () => {
    await guest(ANA)
    await guests(99)
    const automation = await automate({ control_share: 25 })
    const [row] = await sql<{ plan: { matched: number; skipped: Record<string, number> } }>(
      'select public.preview_automation($1, $2, $3) as plan',
      [group.id, automation, NOON],
    )
    expect(row?.plan).toMatchObject({
      matched: 100,
      skipped: { control_group: drawn(automation, await everyone(), 25).length },
    })
  })
})
