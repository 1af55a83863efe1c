import { describe, expect, it } from 'vitest'
import { runAllAutomations } from '@/lib/automations/run'
import { createReservation } from '../factories/messaging'
import {
  app,
  automate,
  db,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  later,
  locationId,
  NOON,
  sql,
  statuses,
  withOutbox,
} from '../support/outbox'

withOutbox()

interface Run {
  id: string
  status: string
  planning: boolean
  planned_to: string | null
  processed: number
  sent: number
  skipped: number
}
const runs = () =>
  sql<Run>(
    `select id::text, status, planning, planned_to::text, processed, sent, skipped from public.automation_runs
     order by started_at`,
  )
const job = (now = NOON) => runAllAutomations({ db, now, signal: AbortSignal.timeout(60_000) })

/** Guests of whom each third has no address, and two share a telephone. */
async function guests(count: number) {
  for (let n = 0; n < count; n++)
    await guest({
      first_name: `G${n}`,
      ...(n % 3 === 2 ? {} : { phone: n === 4 ? '+34600000000' : `+346000000${10 + n}` }),
      ...(n === 3 ? { phone: '+34600000000' } : {}),
    })
}

describe('a plan in parts', () => {
  it.each([1, 2, 5])(
    'of %i is the plan in one go: no guest lost or twice, an address once',
    async (limit) => {
      await guests(12)
      const whole = await automate({ channel: 'sms', control_share: 30 })
      const [preview] = await sql<{ plan: { matched: number; skipped: Record<string, number> } }>(
        'select public.preview_automation($1, $2, $3) as plan',
        [group.id, whole, NOON],
      )
      const started = await enqueue(whole, NOON, { p_limit: limit })
      let part = started
      for (let nth = 1; part.more; nth++) {
        expect(nth).toBeLessThan(40)
        part = await enqueue(whole, later(nth), { p_limit: limit, p_run: started.run_id })
      }
      const planned = await sql<{ reason: string | null; n: number; guests: number }>(
        `select reason, count(*)::int as n, count(distinct customer_id)::int as guests from public.messages
       where run_id = $1 group by reason`,
        [started.run_id],
      )
      const skipped = planned.flatMap(({ reason, n }) => (reason === null ? [] : [[reason, n]]))
      expect(Object.fromEntries(skipped)).toEqual(preview?.plan.skipped)
      expect(planned.reduce((sum, { n }) => sum + n, 0)).toBe(12)
      expect(planned.every(({ n, guests }) => n === guests)).toBe(true)
      expect(skipped).toContainEqual(['no_address', 4])
      expect(await runs()).toMatchObject([
        { status: 'running', planning: false, planned_to: null, processed: 12 },
      ])
    },
  )

  it('goes on where a killed process ended, in the same run', async () => {
    await guests(10)
    const id = await automate({ channel: 'sms' })
    const { run_id, more } = await enqueue(id, NOON, { p_limit: 4 })
    expect(more).toBe(true)
    expect(await runs()).toMatchObject([
      { id: run_id, planning: true, planned_to: expect.any(String), processed: 4 },
    ])
    await job(later(1))
    const [run, ...others] = await runs()
    expect(run).toMatchObject({ id: run_id, planning: false, planned_to: null, processed: 10 })
    expect(others.map(({ processed }) => processed)).toEqual([0])
    expect(await sql('select 1 from public.messages')).toHaveLength(10)
  })

  it('is no finished run while more comes, though all of it so far is sent', async () => {
    for (const n of [0, 1, 2, 3]) await guest({ first_name: `G${n}`, email: `g${n}@example.com` })
    const id = await automate()
    const { run_id } = await enqueue(id, NOON, { p_limit: 2 })
    await drainAt(later(0), fakeProvider().providers)
    expect(await runs()).toMatchObject([{ status: 'running', planning: true, processed: 2, sent: 2 }])
    await enqueue(id, later(1), { p_limit: 10, p_run: run_id })
    await drainAt(later(1), fakeProvider().providers)
    expect(await runs()).toMatchObject([{ status: 'finished', planning: false, processed: 4, sent: 4 }])
  })

  it.each([
    ["update public.automations set status = 'inactive'", 'inactive'],
    ["update public.automation_runs set status = 'stopped'", 'enqueued'],
  ])('ends when nothing more may be added (%s)', async (change, outcome) => {
    await guests(6)
    const id = await automate({ channel: 'sms' })
    const { run_id } = await enqueue(id, NOON, { p_limit: 2 })
    await sql(change)
    expect(await enqueue(id, later(1), { p_limit: 2, p_run: run_id })).toMatchObject({ outcome })
    expect(await runs()).toMatchObject([{ planning: false, processed: 2 }])
  })

  it('waits while all sending is stopped', async () => {
    await guests(6)
    const id = await automate({ channel: 'sms' })
    const { run_id } = await enqueue(id, NOON, { p_limit: 2 })
    await sql('update public.organizations set sending_stopped_at = now()')
    await job(later(1))
    expect(await runs()).toMatchObject([{ id: run_id, planning: true, processed: 2 }])
    await sql('update public.organizations set sending_stopped_at = null')
    await job(later(2))
    expect((await runs()).find(({ id: run }) => run === run_id)).toMatchObject({
      planning: false,
      processed: 6,
    })
  })

  it('keeps all reservations of a guest together, and the cap between them', async () => {
    for (const name of ['Dos', 'Tres', 'Una']) {
      const customer_id = await guest({
        first_name: name,
        email: `${name}@example.com`.toLowerCase(),
        total_visits: 1,
      })
      for (let nth = 0; nth < (name === 'Una' ? 1 : 2); nth++)
        await createReservation(app.stack, group.id, {
          customer_id,
          location_id: locationId('Norte'),
          reservation_date: '2026-11-18',
          reservation_time: nth === 0 ? '20:00' : '14:00',
          status: 'completed',
        })
    }
    const id = await automate({ type: 'post_visit', criteria: {} })
    const started = await enqueue(id, NOON, { p_limit: 1 })
    for (let part = started, nth = 1; part.more; nth++) {
      expect(nth).toBeLessThan(10)
      part = await enqueue(id, later(nth), { p_limit: 1, p_run: started.run_id })
    }
    expect((await statuses()).sort()).toEqual([
      'Dos: frequency_cap',
      'Dos: queued',
      'Tres: frequency_cap',
      'Tres: queued',
      'Una: queued',
    ])
  })
})
