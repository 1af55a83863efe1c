import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { offerFreedTables } from '@/lib/waitlist/offer-tables'
import { createReservation } from '../factories/messaging'
import {
  app,
  automate,
  group,
  guest,
  later,
  runAt,
  SITE,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'

withDelivery()
const US = '+34900000001'
const OURS = '+34600003001'
const FORMER = '+34600003002'
/** 20:30 in Madrid, in minutes after noon. */
const EVENING = 8 * 60 + 30
const at = (minutes: number) => vi.setSystemTime(later(EVENING + minutes))
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

let madrid: string
beforeAll(() => {
  madrid = String(group.locations[0]?.id)
})
beforeEach(async () => {
  await waitForDetachedWork()
  await sql(emptyTables('waitlist', 'reservations', 'customers', 'tickets'))
  await sql('update public.organizations set offer_tables_minutes = 15')
  at(0)
})

const book = (row: Record<string, unknown> = {}) =>
  createReservation(app.stack, group.id, {
    ...{ location_id: madrid, reservation_date: '2026-11-20', party_size: 4, table_name: '4' },
    ...row,
  })
/** A party that waits under the number, and the table that it is offered. */
async function offer(phone: string) {
  await book({ status: 'cancelled', customer_name: 'Ausente' })
  await sql(
    `insert into public.waitlist (organization_id, location_id, name, phone, party_size, joined_at)
     values ($1, $2, 'Lucía', $3, 4, $4)`,
    [group.id, madrid, phone, later(EVENING - 30)],
  )
  await offerFreedTables(group.id)
  await waitForDetachedWork()
  expect(twilio.accepted).toHaveLength(1)
}
/** Writes by SMS, or by WhatsApp. */
const says = async (phone: string, body: string, channel = '') => {
  const message = { from: channel + phone, to: channel + US, body, url: `${SITE}/api/webhooks/twilio` }
  expect((await twilio.inbound(message)).status).toBe(200)
  await waitForDetachedWork()
}
const tickets = () =>
  sql<{ description: string; customer_id: string | null; comments: number }>(
    `select t.description, t.customer_id::text,
       (select count(*)::int from public.ticket_comments c where c.ticket_id = t.id) as comments
     from public.tickets t order by t.number`,
  )
/** Ana wrote from a number before that is another guest's now. */
async function anaWithFormerNumber() {
  const ana = await guest({ first_name: 'Ana', phone: OURS })
  await sql('insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, $3)', [
    ...[group.id, ana, FORMER],
  ])
  return ana
}
const confirmations = () =>
  automate({
    ...{ type: 'reservation_confirmation', channel: 'whatsapp', body: '¿Vienes?' },
    ...{ criteria: { answers: true }, content_sid: `HX${'0'.repeat(32)}`, content_variables: {} },
  })
const states = () =>
  sql('select customer_name as name, status, guest_answer as answer from public.reservations order by 1')

it('many messages about one offer are one ticket, with at most 50 comments', async () => {
  const lucia = await guest({ first_name: 'Lucía', phone: OURS })
  await offer(OURS)
  for (const text of ['¿Cuánto tarda?', '¿Hola?', '¿Hola?']) await says(OURS, text)
  expect(await tickets()).toEqual([
    { description: expect.stringContaining('«¿Cuánto tarda?»'), customer_id: lucia, comments: 2 },
  ])
  await sql(
    `insert into public.ticket_comments (ticket_id, author_name, body)
     select t.id, 'SMS', 'x' from public.tickets t, generate_series(1, 47)`,
  )
  for (const text of ['¿Sí?', '¿No?']) await says(OURS, text)
  expect(await tickets()).toMatchObject([{ comments: 50 }])
  await sql(`update public.tickets set status = 'resolved'`)
  await says(OURS, '¿Y ahora?')
  expect(await tickets()).toMatchObject([
    {},
    { description: expect.stringContaining('«¿Y ahora?»'), comments: 0 },
  ])
})

it('and such a ticket is of no customer when two have the number', async () => {
  for (const first_name of ['Lucía', 'Luis']) await guest({ first_name, phone: OURS })
  await offer(OURS)
  await says(OURS, '¿Cuánto tarda?')
  expect(await tickets()).toMatchObject([{ customer_id: null }])
})

it('an answer does not reach the reservation of the present owner of a former number', async () => {
  await anaWithFormerNumber()
  const bea = await guest({ first_name: 'Bea', phone: FORMER })
  await book({ customer_id: bea, customer_name: 'Bea', reservation_date: '2026-11-21' })
  await confirmations()
  await runAt(later(EVENING))
  at(1)
  await says(OURS, '2', 'whatsapp:')
  expect(await states()).toEqual([{ name: 'Bea', status: 'confirmed', answer: null }])
  expect(await tickets()).toMatchObject([
    { customer_id: bea, description: expect.stringContaining('Escribe desde otro número') },
  ])
})

it('nor does it take the table that was offered to them', async () => {
  await anaWithFormerNumber()
  await says(FORMER, 'Hola', 'whatsapp:')
  await offer(FORMER)
  for (const text of ['1', '2']) await says(OURS, text, 'whatsapp:')
  expect(await states()).toEqual([{ name: 'Ausente', status: 'cancelled', answer: null }])
  expect(await sql('select outcome from private.table_offers')).toEqual([{ outcome: null }])
  expect(await tickets()).toMatchObject([
    { description: expect.stringContaining('«Hola»') },
    { description: expect.stringContaining('Escribe desde otro número'), comments: 1 },
  ])
  expect(twilio.accepted).toHaveLength(1)
})

it('one’s own reservation can be answered from the new number', async () => {
  const ana = await guest({ first_name: 'Ana', phone: FORMER })
  await book({ customer_id: ana, customer_name: 'Ana', reservation_date: '2026-11-21' })
  await confirmations()
  await runAt(later(EVENING))
  await sql('update public.customers set phone = $1', [OURS])
  await sql('insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, $3)', [
    ...[group.id, ana, FORMER],
  ])
  at(1)
  await says(OURS, '2', 'whatsapp:')
  expect(await states()).toEqual([{ name: 'Ana', status: 'cancelled', answer: 'cancelled' }])
  expect(await tickets()).toEqual([])
})
