import { describe, expect, it } from 'vitest'
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
  later,
  locationId,
  sql,
  withOutbox,
} from '../support/outbox'

withOutbox()

describe('quiet hours', () => {
  const queuedAt = async () => {
    const rows = await sql<{ who: string; at: Date }>(
      `select c.first_name as who, m.not_before as at from public.messages m
       join public.customers c on c.id = m.customer_id where m.kind = 'marketing' order by 1`,
    )
    return Object.fromEntries(rows.map(({ who, at }) => [who, new Date(at).toISOString()]))
  }

  it('hold a night’s run back until 09:30 where each customer is', async () => {
    await guest(ANA)
    await guest({ ...BEA, location_id: locationId('Isla') })
    const night = new Date('2026-11-20T22:00:00Z')
    await enqueue(await automate(), night)
    expect(await queuedAt()).toEqual({ Ana: '2026-11-21T08:30:00.000Z', Bea: '2026-11-21T09:30:00.000Z' })
    expect((await claim(night)).examined).toBe(0)
    expect((await claim(new Date('2026-11-21T08:30:00Z'))).messages).toHaveLength(1)
  })

  it('hold back what was still waiting when they began, and let confirmations pass', async () => {
    const ana = await guest(ANA)
    await createReservation(app.stack, group.id, {
      location_id: locationId('Norte'),
      reservation_date: '2026-11-22',
      customer_id: ana,
    })
    await enqueue(await automate())
    await enqueue(await automate({ type: 'reservation_confirmation', criteria: {} }), later(1))
    const late = new Date('2026-11-20T20:30:00Z')
    const batch = await claim(late)
    expect([batch.examined, batch.messages.length]).toEqual([2, 1])
    expect((await queuedAt()).Ana).toBe('2026-11-21T08:30:00.000Z')
    expect((await claim(late)).examined).toBe(0)
  })

  it.each([
    ['before midnight', '2026-11-20T22:59:00Z', '2026-11-21T08:30:00.000Z'],
    ['after midnight', '2026-11-20T23:01:00Z', '2026-11-21T08:30:00.000Z'],
    ['at their last moment', '2026-11-21T08:29:59Z', '2026-11-21T08:30:00.000Z'],
    ['at their end', '2026-11-21T08:30:00Z', '2026-11-21T08:30:00.000Z'],
    ['at their begin', '2026-11-20T20:30:00Z', '2026-11-21T08:30:00.000Z'],
    ['just before', '2026-11-20T20:29:59Z', '2026-11-20T20:29:59.000Z'],
    ['in the night the clocks go back', '2026-10-24T22:00:00Z', '2026-10-25T08:30:00.000Z'],
    ['in the night the clocks go forward', '2026-03-28T22:00:00Z', '2026-03-29T07:30:00.000Z'],
  ])('%s', async (_, now, sendAt) => {
    const [row] = await sql<{ at: Date }>(
      `select private.after_quiet_hours($1::timestamptz, 'Europe/Madrid', '21:30', '09:30') as at`,
      [now],
    )
    expect(new Date(row?.at ?? 0).toISOString()).toBe(sendAt)
  })

  it.each([
    ['inside hours of one day', '2026-11-20T14:00:00Z', '14:00', '16:00', '2026-11-20T15:00:00.000Z'],
    ['outside of them', '2026-11-20T15:30:00Z', '14:00', '16:00', '2026-11-20T15:30:00.000Z'],
    ['without any', '2026-11-20T15:30:00Z', '09:00', '09:00', '2026-11-20T15:30:00.000Z'],
  ])('%s', async (_, now, from, until, sendAt) => {
    const [row] = await sql<{ at: Date }>(
      `select private.after_quiet_hours($1::timestamptz, 'Europe/Madrid', $2::time, $3::time) as at`,
      [now, from, until],
    )
    expect(new Date(row?.at ?? 0).toISOString()).toBe(sendAt)
  })
})
