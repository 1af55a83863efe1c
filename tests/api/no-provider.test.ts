import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { notifyEvents, remindEvents } from '@/lib/calendar/jobs'
import { waitForDetachedWork } from '@/lib/http/after'
import { providersFor } from '@/lib/messaging/providers'
import { notifyTickets } from '@/lib/tickets/jobs'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import {
  app,
  automate,
  bySms,
  group,
  guest,
  later,
  NOON,
  phones,
  resend,
  runAt,
  service,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

withDelivery({ MESSAGE_SANDBOX: '0' })

let boss: Client
beforeAll(async () => {
  boss = await signedIn(await group.person('marketing'))
})
beforeEach(() => sql(emptyTables('customers', 'calendar_events', 'tickets')))

const off = (type: 'twilio' | 'resend') =>
  connect(app.stack, group.id, type, type === 'twilio' ? TWILIO : RESEND, false)
const on = (type: 'twilio' | 'resend') =>
  connect(app.stack, group.id, type, type === 'twilio' ? TWILIO : RESEND)
const mails = () => resend.accepted.map(({ email }) => email.to)
const call = async (method: string, path: string, body?: object) =>
  answer(await boss.request(method, `/api/automations/${path}`, body && { body }))
const ana = (more = {}) =>
  guest({ first_name: 'Ana', email: 'ana@example.com', phone: '+34600000001', ...more })
const bea = (more = {}) => guest({ first_name: 'Bea', phone: '+34600000002', ...more })
const MORNING = new Date('2026-11-21T09:00:00Z')
const NIGHT = new Date('2026-11-20T22:00:00Z')

describe('without a provider', () => {
  it('there is none, and a run of anybody says that nothing was sent', async () => {
    await off('twilio')
    await noQuietHours(app.stack)
    await ana()
    const id = await bySms()
    expect(Object.keys(await providersFor(service(), group.id))).toEqual(['email'])
    expect((await call('POST', `${id}/run`)).body).toMatchObject({
      processed: 1,
      sent: 0,
      skipped: 1,
      pending: 0,
    })
    expect((await call('GET', `${id}/preview`)).body.data).toMatchObject({
      matched: 1,
      to_send: 0,
      skipped: { no_provider: 1, no_app_url: 0 },
    })
    expect((await call('GET', `${id}/runs`)).body.data).toMatchObject([
      { status: 'finished', processed: 1, sent: 0, skipped: 1, simulated: 0 },
    ])
    expect((await call('POST', `${id}/test`, { recipient: '+34600000009' })).body.data).toEqual({
      channel: 'sms',
      recipient: '+34600000009',
      status: 'skipped',
      reason: 'no_provider',
    })
    expect(await tally()).toEqual(['skipped no_provider 1'])
    expect(twilio.requests).toEqual([])
  })

  it('a scheduled run tries again as soon as there is one, not a day later, and not before', async () => {
    await off('twilio')
    await sql('update public.organizations set frequency_cap_days = 7')
    await ana()
    await guest({ first_name: 'Sin teléfono' })
    await bySms()
    expect((await runAt()).statistics).toMatchObject({ totalProcessed: 2, totalSent: 0, totalSkipped: 2 })
    expect((await runAt(later(15))).statistics).toMatchObject({ totalProcessed: 0, totalSkipped: 0 })
    await on('twilio')
    expect((await runAt(later(30))).statistics).toMatchObject({
      totalProcessed: 1,
      totalSent: 1,
      totalSkipped: 0,
    })
    // The reason of before stays for 30 days.
    expect(await tally()).toEqual(['sent 1', 'skipped no_address 1', 'skipped no_provider 1'])
    expect((await runAt(later(45))).statistics).toMatchObject({ totalProcessed: 0, totalSent: 0 })
    expect(phones()).toEqual(['+34600000001'])
  })

  it('customers who no longer match get nothing when it comes', async () => {
    await off('twilio')
    await ana()
    await bySms()
    await runAt()
    await sql('update public.customers set total_spend = 5')
    await on('twilio')
    expect((await runAt(later(15))).statistics).toMatchObject({ totalProcessed: 0, totalSent: 0 })
    expect(phones()).toEqual([])
  })

  it('a customer with only a WhatsApp id is tried again as soon as there is one', async () => {
    await off('twilio')
    await guest({ first_name: 'Lía', whatsapp_id: 'ES.lia' })
    await bySms({ channel: 'whatsapp', content_sid: `HX${'a'.repeat(32)}` })
    await runAt()
    expect(await tally()).toEqual(['skipped no_provider 1'])
    await on('twilio')
    expect((await runAt(later(15))).statistics).toMatchObject({ totalProcessed: 1, totalSent: 1 })
  })

  it('it goes by the fallback channel that has one, and by the first one when that has', async () => {
    await off('twilio')
    await ana()
    await bea()
    const id = await bySms({ fallback_channel: 'email' })
    expect((await runAt()).statistics).toMatchObject({ totalProcessed: 2, totalSent: 1, totalSkipped: 1 })
    expect(mails()).toEqual(['ana@example.com'])
    expect(await tally()).toEqual(['sent 1', 'skipped no_provider 1'])
    // Whom the fallback does not reach is not tried again every time.
    expect((await runAt(later(15))).statistics.totalProcessed).toBe(0)
    await on('twilio')
    expect((await runAt(later(30))).statistics).toMatchObject({ totalProcessed: 1, totalSent: 1 })
    expect(phones()).toEqual(['+34600000002'])
    expect((await call('GET', `${id}/results`)).body.data.messages).toMatchObject({ sent: 2, simulated: 0 })
  })

  it('a fallback that comes later is enough', async () => {
    await off('twilio')
    await off('resend')
    await ana()
    await bea()
    await bySms({ fallback_channel: 'email' })
    await runAt()
    expect(await tally()).toEqual(['skipped no_provider 2'])
    await on('resend')
    expect((await runAt(later(15))).statistics).toMatchObject({ totalProcessed: 1, totalSent: 1 })
    expect(mails()).toEqual(['ana@example.com'])
  })

  it('an address that unsubscribed says so, and waits its day', async () => {
    await off('twilio')
    await ana()
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'ana@example.com', 'unsubscribe')`,
      [group.id],
    )
    await bySms({ fallback_channel: 'email' })
    await runAt()
    expect(await tally()).toEqual(['skipped suppressed 1'])
    expect((await runAt(later(15))).statistics.totalProcessed).toBe(0)
  })
})

describe('a provider switched off before what is queued could leave', () => {
  it('pauses the run with its reason, keeps the messages, and they go once it is back and resumed', async () => {
    await ana()
    await bea()
    const id = await bySms()
    expect((await runAt(NIGHT)).statistics).toMatchObject({ totalProcessed: 2, totalSent: 0 })
    await off('twilio')
    expect((await runAt(MORNING)).statistics).toMatchObject({
      totalProcessed: 0,
      totalSent: 0,
      totalSkipped: 0,
    })
    const [run] = (await call('GET', `${id}/runs`)).body.data.filter(
      (one: { processed: number }) => one.processed,
    )
    expect(run).toMatchObject({ status: 'paused', reason: 'no_provider', pending: 2, finished_at: null })
    expect(await tally()).toEqual(['queued 2'])
    await on('twilio')
    await noQuietHours(app.stack)
    expect((await call('POST', `${id}/runs/${run.id}/resume`)).status).toBe(200)
    await waitForDetachedWork()
    expect(phones()).toEqual(['+34600000001', '+34600000002'])
    expect(await tally()).toEqual(['sent 2'])
  })

  it('uses the fallback channel; customers it does not reach are tried again', async () => {
    await ana()
    await bea()
    const id = await bySms({ fallback_channel: 'email' })
    await runAt(NIGHT)
    await off('twilio')
    expect((await runAt(MORNING)).statistics).toMatchObject({
      totalProcessed: 2,
      totalSent: 1,
      totalSkipped: 1,
    })
    expect(mails()).toEqual(['ana@example.com'])
    expect(await tally()).toEqual(['sent 1', 'skipped no_provider 1'])
    await on('twilio')
    await runAt(new Date(MORNING.getTime() + 15 * 60_000))
    expect(phones()).toEqual(['+34600000002'])
    expect(
      (await call('GET', `${id}/runs`)).body.data.map(({ status }: { status: string }) => status),
    ).not.toContain('paused')
  })
})

describe('what quiet hours held back', () => {
  it('counts as sent by the call that sends it, and only there', async () => {
    await ana()
    await bea()
    const id = await bySms()
    expect((await runAt(NIGHT)).statistics).toEqual({
      totalProcessed: 2,
      totalSent: 0,
      totalSkipped: 0,
      totalFailed: 0,
    })
    const morning = await runAt(MORNING)
    expect(morning.statistics).toEqual({ totalProcessed: 2, totalSent: 2, totalSkipped: 0, totalFailed: 0 })
    expect(morning.details).toMatchObject([{ automationId: id, processed: 2, sent: 2 }])
    expect((await runAt(new Date(MORNING.getTime() + 60_000))).statistics.totalSent).toBe(0)
    expect(twilio.accepted).toHaveLength(2)
  })

  it('counts as skipped where its automation has been stopped meanwhile', async () => {
    await ana()
    const id = await bySms()
    await runAt(NIGHT)
    await sql(`update public.automations set status = 'inactive' where id = $1`, [id])
    const { statistics, details } = await runAt(MORNING)
    expect(statistics).toEqual({ totalProcessed: 1, totalSent: 0, totalSkipped: 1, totalFailed: 0 })
    expect(details).toEqual([])
  })

  it('goes with a run started by hand, and counts there', async () => {
    await ana()
    const id = await bySms()
    await runAt(NIGHT)
    await noQuietHours(app.stack)
    await sql('update public.messages set not_before = now()')
    await bea()
    expect((await call('POST', `${id}/run`)).body).toMatchObject({
      processed: 2,
      sent: 2,
      skipped: 0,
      pending: 0,
    })
    expect(twilio.accepted).toHaveLength(2)
  })
})

describe('notices of calendar and tickets', () => {
  it('stay unsent, and unmarked, until there is a provider', async () => {
    await off('resend')
    const cook = await group.person('rrhh')
    const customer = await ana()
    const at = (now: Date) => ({ db: service(), now, signal: new AbortController().signal })
    await sql(
      `insert into public.calendar_events (organization_id, title, event_datetime, customer_id, assignee_id)
       values ($1, 'Cata', $2, $3, $4)`,
      [group.id, later(50), customer, cook.id],
    )
    await sql(
      `insert into public.tickets (organization_id, subject, description, priority, assignee_id)
       values ($1, 'No imprime', '', 'urgent', $2)`,
      [group.id, cook.id],
    )
    const all = async (now: Date) => [
      (await notifyEvents(at(now))).notifications_sent,
      (await remindEvents(at(now))).sent,
      (await notifyTickets(at(now))).sent,
    ]
    expect(await all(NOON)).toEqual([0, 0, 0])
    const marks = () => sql('select notification_sent, reminder_sent from public.calendar_events')
    expect(await marks()).toEqual([{ notification_sent: false, reminder_sent: false }])
    expect(await tally()).toEqual([])
    await on('resend')
    expect(await all(later(15))).toEqual([1, 1, 1])
    expect(await marks()).toEqual([{ notification_sent: true, reminder_sent: true }])
    expect(await all(later(16))).toEqual([0, 0, 0])
    expect(mails().sort()).toEqual(['ana@example.com', cook.email, cook.email].sort())
  })

  it('wait in the queue when it is switched off in between', async () => {
    const cook = await group.person('rrhh')
    await sql(
      `insert into public.messages (organization_id, kind, purpose, channel, recipient, content, dedupe_key, not_before)
       values ($1, 'notification', 'ticket_notification', 'email', $2, '{"subject": "Aviso", "body": "Hola"}', 'event:x:reminder:0', $3)`,
      [group.id, cook.email, NOON],
    )
    await off('resend')
    await runAt()
    expect(await tally()).toEqual(['queued 1'])
    await on('resend')
    await runAt(later(15))
    expect(mails()).toEqual([cook.email])
  })
})

it('marketing by e-mail always has a link and the headers to unsubscribe with one click', async () => {
  await ana()
  await automate({ type: 'vip_reward', criteria: { min_spend: 100 } })
  await runAt()
  const email = resend.accepted[0]?.email ?? {}
  expect(email.headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(/^<https:\/\/crm\.example\/u\/[\w-]+\?m=[\w-]{21}>$/),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(email.text).toContain('https://crm.example/u/')
  expect(email.html).toContain('https://crm.example/u/')
})
