import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { notifyEvents, remindEvents } from '@/lib/calendar/jobs'
import type { JobContext } from '@/lib/jobs/job'
import { notificationsBodySchema } from '@/lib/messaging/notification'
import { startApp, type TestApp } from '../support/app'
import { arrangeNotices, counts, NOW, type Notices, plusMinutes } from '../support/notices'
import { signedIn } from '../support/sign-in'

let app: TestApp
let place: Notices
let customer: string

beforeAll(async () => {
  app = await startApp()
  place = await arrangeNotices(app.stack)
  customer = await place.newCustomer('ana@correo.example')
})
afterEach(() => place.clear())
afterAll(() => app?.close())

const notifiedBy = async (now = NOW) =>
  notificationsBodySchema.parse(await notifyEvents(place.context(now))).notifications_sent
const remindedBy = async (now = NOW) => counts(await remindEvents(place.context(now)))

describe('calendar-notifications', () => {
  it('sends one e-mail to the customer, and answers both variants', async () => {
    const id = await place.newEvent(plusMinutes(120), { customer, location: place.location('Canarias') })
    expect(await notifyEvents(place.context())).toEqual({
      success: true,
      timestamp: NOW,
      notifications_sent: 1,
    })
    expect(await place.messages()).toEqual([
      {
        kind: 'transactional',
        channel: 'email',
        recipient: 'ana@correo.example',
        customer_id: customer,
        status: 'sent',
        content: {
          subject: 'Cata: viernes, 20 de noviembre de 2026, 14:00',
          body: expect.stringContaining('Hola, Ana:'),
          expires_at: expect.stringContaining('2026-11-20T14:00:00'),
        },
      },
    ])
    const [mail] = await place.rendered()
    expect(mail?.text).toContain('viernes, 20 de noviembre de 2026, 14:00\nCanarias\n')
    const [event] = await app.stack.sql(
      'select notification_sent from public.calendar_events where id = $1',
      [id],
    )
    expect(event).toEqual({ notification_sent: true })
    expect(await notifiedBy()).toBe(0)
    expect(await place.messages()).toHaveLength(1)
  })

  it.each([
    ['in exactly 24 hours', plusMinutes(1440), 1],
    ['a millisecond later', '2026-11-21T12:00:00.001Z', 0],
    ['right now', NOW, 1],
    ['just past', '2026-11-20T11:59:59.999Z', 0],
  ])('announces an event %s or not', async (_, at, expected) => {
    await place.newEvent(at, { customer })
    expect(await notifiedBy()).toBe(expected)
  })

  it.each([
    ['into summer time', '2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z', '14:00'],
    ['out of summer time', '2026-10-24T10:00:00.000Z', '2026-10-25T10:00:00.000Z', '11:00'],
  ])('means 24 hours, not the same local time, %s', async (_, now, at, local) => {
    await place.newEvent(at, { customer })
    await place.newEvent(new Date(Date.parse(at) + 1).toISOString(), { customer })
    expect(await notifiedBy(now)).toBe(1)
    const [mail] = await place.rendered()
    expect(mail?.text).toContain(`, ${local}\n`)
  })

  it('leaves out who cannot be written to, and writes once they can', async () => {
    const silent = await place.newCustomer(null)
    const gone = await place.newCustomer('rebota@correo.example')
    await app.stack.sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'rebota@correo.example', 'bounce'), ($1, 'sms', 'ana@correo.example', 'stop'),
         ($2, 'email', 'ana@correo.example', 'bounce')`,
      [place.group.id, place.other.id],
    )
    await place.newEvent(plusMinutes(60), { customer: silent })
    await place.newEvent(plusMinutes(60), { customer: gone })
    await place.newEvent(plusMinutes(60))
    await place.newEvent(plusMinutes(60), { customer })
    expect(await notifiedBy()).toBe(1)
    expect(await place.recipients()).toEqual(['ana@correo.example'])
    await app.stack.sql(`update public.customers set email = 'nueva@correo.example' where id = $1`, [silent])
    expect(await notifiedBy(plusMinutes(30))).toBe(1)
    expect(await notifiedBy(plusMinutes(61))).toBe(0)
  })

  it.each([
    ['unsubscribe', 1],
    ['stop', 1],
    ['manual', 1],
    ['bounce', 0],
    ['complaint', 0],
  ])(
    'announces their own event to a guest after %s or not: opting out is from marketing',
    async (reason, expected) => {
      const guest = await place.newCustomer(`${reason}@correo.example`)
      await app.stack.sql(
        `insert into public.suppressions (organization_id, channel, address, reason)
         values ($1, 'email', $2::text || '@correo.example', $2)`,
        [place.group.id, reason],
      )
      await place.newEvent(plusMinutes(60), { customer: guest })
      expect(await notifiedBy()).toBe(expected)
      const { status } = (await place.messages())[0] ?? {}
      expect(status).toBe(expected ? 'sent' : undefined)
    },
  )

  it('announces a moved event again, and takes back what still waits', async () => {
    const id = await place.newEvent(plusMinutes(60), { customer })
    const statuses = async () => (await place.messages()).map(({ status }) => status)
    const queue = () => place.queue('queue_event_notifications')
    expect(await queue()).toBe(1)
    await place.set('calendar_events', id, 'event_datetime = $2', plusMinutes(120))
    expect(await statuses()).toEqual(['skipped'])
    expect(await queue()).toBe(1)
    // Back to where it was: the customer has to know that as well.
    await app.stack.sql(`update public.messages set status = 'sent' where status = 'queued'`)
    await place.set('calendar_events', id, 'event_datetime = $2', plusMinutes(60))
    expect(await queue()).toBe(1)
    expect((await statuses()).sort()).toEqual(['queued', 'sent', 'skipped'])
    await app.stack.sql(`update public.messages set attempts = 1 where status = 'queued'`)
    await app.stack.sql('delete from public.calendar_events')
    expect((await statuses()).sort()).toEqual(['queued', 'sent', 'skipped'])
  })

  it('queues nothing for a deleted event, and takes back what still waits', async () => {
    const id = await place.newEvent(plusMinutes(60), { customer, assignee: place.people.cook.id })
    const boss = await signedIn(place.people.boss)
    await place.queue('queue_event_notifications')
    await place.queue('queue_event_reminders')
    expect((await boss.request('DELETE', `/api/calendar-events/${id}`)).status).toBe(204)
    expect(await notifiedBy()).toBe(0)
    expect((await place.messages()).map(({ status }) => status)).toEqual(['skipped', 'skipped'])
  })

  it('takes back the e-mail to a customer who is erased', async () => {
    const erased = await place.newCustomer('adios@correo.example')
    await place.newEvent(plusMinutes(60), { customer: erased })
    await place.queue('queue_event_notifications')
    await app.stack.sql('delete from public.customers where id = $1', [erased])
    expect(await place.messages()).toMatchObject([{ status: 'skipped', customer_id: null }])
    expect(await notifiedBy()).toBe(0)
  })
})

describe('calendar-reminders', () => {
  it('queues one e-mail to the assignee', async () => {
    await place.newEvent(plusMinutes(60), { assignee: place.people.cook.id, customer })
    expect(await remindEvents(place.context())).toEqual({ success: true, timestamp: NOW, sent: 1, failed: 0 })
    expect(await place.messages()).toMatchObject([
      { kind: 'notification', channel: 'email', recipient: place.people.cook.email, customer_id: null },
    ])
    expect((await place.rendered())[0]?.subject).toBe(
      'Recordatorio: Cata, viernes, 20 de noviembre de 2026, 14:00',
    )
    expect(await remindedBy(plusMinutes(30))).toEqual({ sent: 0, failed: 0 })
  })

  it.each([
    ['exactly when it is due', 60, plusMinutes(60), 1],
    ['a millisecond early', 60, '2026-11-20T13:00:00.001Z', 0],
    ['late', 60, plusMinutes(1), 1],
    ['once it has begun', 60, NOW, 0],
    ['at its very beginning with no notice', 0, NOW, 0],
    ['a week ahead', 10_080, plusMinutes(10_080), 1],
    ['a week and a millisecond ahead', 10_080, '2026-11-27T12:00:00.001Z', 0],
  ])('%s', async (_, minutes, at, sent) => {
    await place.newEvent(at, { assignee: place.people.cook.id, minutes })
    expect(await remindedBy()).toEqual({ sent, failed: 0 })
  })

  it('reminds no one without an assignee', async () => {
    await place.newEvent(plusMinutes(30), { customer })
    expect(await remindedBy()).toEqual({ sent: 0, failed: 0 })
  })

  it('reminds again after a move, and a new assignee', async () => {
    const id = await place.newEvent(plusMinutes(30), { assignee: place.people.cook.id })
    expect(await remindedBy()).toEqual({ sent: 1, failed: 0 })
    await place.set('calendar_events', id, 'event_datetime = $2', plusMinutes(40))
    expect(await remindedBy()).toEqual({ sent: 1, failed: 0 })
    await place.set('calendar_events', id, 'assignee_id = $2', place.people.admin.id)
    expect(await remindedBy()).toEqual({ sent: 1, failed: 0 })
    await place.set('calendar_events', id, `title = 'Otra', reminder_minutes = 45`)
    expect(await remindedBy()).toEqual({ sent: 0, failed: 0 })
    expect((await place.recipients()).filter((email) => email === place.people.admin.email)).toHaveLength(1)
  })

  it('counts an assignee without an address as failed, once', async () => {
    const nameless = await place.group.person('ceo')
    await app.stack.sql(`update public.profiles set email = ' ' where id = $1`, [nameless.id])
    await place.newEvent(plusMinutes(30), { assignee: nameless.id })
    expect(await remindedBy()).toEqual({ sent: 0, failed: 1 })
    const runs = 'select status from public.job_runs where organization_id = $1'
    expect(await app.stack.sql(runs, [place.group.id])).toEqual([{ status: 'partial' }])
    expect(await remindedBy()).toEqual({ sent: 0, failed: 0 })
  })
})

describe('runs at once', () => {
  const fill = async (count: number) => {
    await app.stack.sql(
      `insert into public.calendar_events (organization_id, title, event_datetime, customer_id, assignee_id)
       select $1, 'Cata', $2::timestamptz + n * interval '1 second', $3, $4 from generate_series(1, $5) as n`,
      [place.group.id, NOW, customer, place.people.cook.id, count],
    )
    await app.stack.sql(
      `insert into public.tickets (organization_id, subject, assignee_id, created_at)
       select $1, 'No imprime', $2, $3::timestamptz - interval '1 day' from generate_series(1, $4) as n`,
      [place.group.id, place.people.cook.id, NOW, count],
    )
  }

  it.each([
    'queue_event_notifications',
    'queue_event_reminders',
    'queue_ticket_notifications',
    'queue_ticket_reminders',
  ] as const)('%s queues each message exactly once, however many instances run', async (name) => {
    await fill(120)
    const { db } = place.context()
    const parameters = { p_organization: place.group.id, p_now: NOW, p_limit: 10 }
    let queued = 0
    const worker = async () => {
      for (let runs = 0; runs < 15; runs++) {
        const { data } = await db.rpc(name, parameters).throwOnError()
        queued += (data as { queued: number }).queued
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(queued).toBe(120)
    expect(await place.messages()).toHaveLength(120)
  })

  it('of a job add up to what is due, and leave their runs behind', async () => {
    await fill(5)
    const sent = await Promise.all(Array.from({ length: 6 }, () => notifiedBy()))
    expect(sent.reduce((total, each) => total + each, 0)).toBe(5)
    const runs = await app.stack.sql<{ job: string; status: string }>(
      'select distinct job, status from public.job_runs',
    )
    expect(runs).toEqual([{ job: 'calendar-notifications', status: 'succeeded' }])
  })

  it('a run goes on batch after batch, and takes on nothing once its time is over', async () => {
    await fill(1001)
    const over: JobContext = { ...place.context(), signal: AbortSignal.abort() }
    expect(await notifyEvents(over)).toMatchObject({ notifications_sent: 0 })
    expect(await notifiedBy()).toBe(1001)
  })
})
