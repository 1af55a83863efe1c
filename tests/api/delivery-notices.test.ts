import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runAllAutomations } from '@/lib/automations/run'
import { notifyEvents, remindEvents } from '@/lib/calendar/jobs'
import { JOBS, runMaster } from '@/lib/cron/jobs'
import type { Job } from '@/lib/jobs/job'
import { notifyTickets, remindTickets } from '@/lib/tickets/jobs'
import { connect, RESEND } from '../factories/integrations'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { startApp, type TestApp } from '../support/app'
import { arrangeNotices, counts, NOW, type Notices, plusMinutes } from '../support/notices'
import { signedIn } from '../support/sign-in'

let app: TestApp
let resend: FakeResend
let place: Notices
let customer: string

beforeAll(async () => {
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  app = await startApp({ APP_URL: 'https://crm.example', RESEND_BASE_URL: resend.url })
  place = await arrangeNotices(app.stack)
  customer = await place.newCustomer('ana@correo.example')
})
beforeEach(async () => {
  await place.clear()
  resend.setFault(null)
  resend.accepted.length = 0
  await connect(app.stack, place.group.id, 'resend', RESEND)
})
afterAll(async () => {
  await Promise.all([app?.close(), resend?.close()])
})

const mails = () => resend.accepted.map(({ email }) => `${email.to}: ${email.subject}`).sort()
const automations = (now = NOW) => runAllAutomations(place.context(now))
const statuses = async () => (await place.messages()).map(({ status }) => status)

describe('the e-mails of calendar and tickets', () => {
  it('arrive once, in words, without a way to unsubscribe', async () => {
    const cook = place.people.cook
    await place.newEvent(plusMinutes(30), { customer, assignee: cook.id })
    await place.newTicket({ priority: 'urgent', assignee: cook.id })
    const late = plusMinutes(0)
    for (const _ of [1, 2]) {
      await notifyEvents(place.context(late))
      await remindEvents(place.context(late))
      await notifyTickets(place.context(late))
      await automations(late)
    }
    await remindTickets(place.context(plusMinutes(100)))
    await remindTickets(place.context(plusMinutes(101)))
    expect(mails()).toEqual([
      'ana@correo.example: Cata: viernes, 20 de noviembre de 2026, 13:30',
      `${cook.email}: Incidencia #1: No imprime (nueva)`,
      `${cook.email}: Plazo a punto de vencer: Incidencia #1: No imprime`,
      `${cook.email}: Recordatorio: Cata, viernes, 20 de noviembre de 2026, 13:30`,
    ])
    for (const { email } of resend.accepted) {
      expect(email.headers).toEqual({})
      expect(String(email.html) + email.text).not.toMatch(/Darse de baja|%%/)
      expect(String(email.text)).toMatch(/^Hola.+Grupo Avisos$/s)
    }
  })

  it('arrive once when all jobs run at once', async () => {
    for (let n = 0; n < 15; n++) await place.newTicket({ assignee: place.people.cook.id })
    const bodies = await Promise.all([
      notifyTickets(place.context()),
      automations(),
      notifyTickets(place.context()),
      automations(),
    ])
    // The automations job may have been the one that sent them: then they are in nobody's answer.
    expect(counts(bodies[0]).sent + counts(bodies[2]).sent).toBeLessThanOrEqual(15)
    expect(resend.accepted).toHaveLength(15)
    expect(new Set(resend.accepted.map(({ email }) => email.subject)).size).toBe(15)
  })

  it('that are refused are not taken for none by the master', async () => {
    await place.newEvent(plusMinutes(30), { customer })
    resend.setFault({ kind: 'reject', status: 422, code: 'validation_error', message: 'Invalid `to` field.' })
    const silent: Job = { budgetSeconds: 1, run: async () => ({}) }
    const jobs = { ...JOBS, sync: silent, automations: silent }
    const announced = async () => {
      const { db, now } = place.context()
      return (await runMaster(jobs, { db, now })).results[1]
    }
    const endpoint = '/api/cron/calendar-notifications'
    const data = { success: true, timestamp: NOW, notifications_sent: 0 }
    expect(await announced()).toEqual({ endpoint, status: 200, data })
    expect(await announced()).toEqual({ endpoint, error: 'No notifications to send' })
  })

  it('count as sent once they are accepted, and as failed when they are refused', async () => {
    await place.newTicket({ assignee: place.people.cook.id })
    resend.setFault({ kind: 'reject', status: 422, code: 'validation_error', message: 'Invalid `to` field.' })
    expect(counts(await notifyTickets(place.context()))).toEqual({ sent: 0, failed: 1 })
    expect(await statuses()).toEqual(['failed'])
  })

  it('that Resend does not take now are sent by the next job, and counted by neither as failed', async () => {
    await place.newTicket({ assignee: place.people.cook.id })
    resend.setFault({ kind: 'rate_limit', retryAfter: 90 })
    expect(counts(await notifyTickets(place.context()))).toEqual({ sent: 0, failed: 0 })
    expect(await statuses()).toEqual(['queued'])
    resend.setFault(null)
    await remindEvents(place.context(plusMinutes(2)))
    expect(mails()).toHaveLength(1)
    expect(await statuses()).toEqual(['sent'])
  })

  it('say nothing of an event that is past by then', async () => {
    await place.newEvent(plusMinutes(10), { customer })
    await place.queue('queue_event_notifications')
    await automations(plusMinutes(15))
    const [row] = await app.stack.sql('select status, reason from public.messages')
    expect(row).toEqual({ status: 'skipped', reason: 'too_late' })
    expect(mails()).toEqual([])
  })

  it('are given up when the next attempt would be after the event', async () => {
    await place.newEvent(plusMinutes(10), { customer })
    resend.setFault({ kind: 'rate_limit', retryAfter: 900 })
    await notifyEvents(place.context())
    const [row] = await app.stack.sql('select status, reason from public.messages')
    expect(row).toEqual({ status: 'failed', reason: 'provider_rate_limit' })
  })

  it('do not go to staff whose address bounced', async () => {
    await app.stack.sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', $2, 'bounce')`,
      [place.group.id, place.people.cook.email],
    )
    await place.newTicket({ assignee: place.people.cook.id })
    expect(counts(await notifyTickets(place.context()))).toEqual({ sent: 0, failed: 0 })
    expect(await statuses()).toEqual(['skipped'])
    expect(mails()).toEqual([])
  })

  it('overtake a queue of marketing', async () => {
    await app.stack.sql(
      `with a as (insert into public.automations (organization_id, name, type, channel, status, subject, body, criteria)
         values ($1, 'Todos', 'birthday', 'email', 'active', 'x', 'x', '{"days_before": 7}') returning id)
       insert into public.messages (organization_id, kind, purpose, channel, automation_id, customer_id, dedupe_key, not_before)
       select $1, 'marketing', 'post_visit', 'email', a.id, $2, n::text, '2026-01-01' from a, generate_series(1, 500) n`,
      [place.group.id, customer],
    )
    await place.newTicket({ assignee: place.people.cook.id })
    expect(counts(await notifyTickets(place.context()))).toEqual({ sent: 1, failed: 0 })
    expect(mails()).toHaveLength(1)
  })

  it('are left as they are to who deletes the event meanwhile', async () => {
    const id = await place.newEvent(plusMinutes(60), { customer })
    await place.queue('queue_event_notifications')
    const boss = await signedIn(place.people.boss)
    expect((await boss.request('DELETE', `/api/calendar-events/${id}`)).status).toBe(204)
    await automations()
    expect(mails()).toEqual([])
  })
})
