import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app'
import { arrangeNotices, type Notices, plusMinutes } from '../support/notices'

// What a message is about stands in its columns. Its key only keeps it from being sent twice, so with any other
// unique key everything finds it as before.
let app: TestApp
let place: Notices

beforeAll(async () => {
  app = await startApp({ APP_URL: 'https://crm.example' })
  place = await arrangeNotices(app.stack)
})
beforeEach(() => place.clear())
afterAll(() => app?.close())

const rename = () => app.stack.sql('update public.messages set dedupe_key = gen_random_uuid()::text')
const outbox = () =>
  app.stack.sql(
    'select purpose, about_type, status, reason, content = $1 as empty from public.messages order by 1',
    ['{}'],
  )

it('a deleted ticket empties its notices and skips what is queued', async () => {
  const ticket = await place.newTicket({ assignee: place.people.cook.id })
  expect(await place.queue('queue_ticket_notifications')).toBe(1)
  await rename()
  await app.stack.sql('delete from public.tickets where id = $1', [ticket])
  expect(await outbox()).toEqual([
    {
      purpose: 'ticket_notification',
      about_type: 'ticket',
      status: 'skipped',
      reason: 'deleted',
      empty: true,
    },
  ])
})

it('a moved event takes back its messages, and a deleted one empties its reminder', async () => {
  const customer = await place.newCustomer('ana@correo.example')
  const event = await place.newEvent(plusMinutes(30), { customer, assignee: place.people.cook.id })
  expect(await place.queue('queue_event_notifications')).toBe(1)
  expect(await place.queue('queue_event_reminders')).toBe(1)
  await rename()
  await place.set('calendar_events', event, `event_datetime = event_datetime + interval '1 hour'`)
  const about = { about_type: 'calendar_event', status: 'skipped', reason: 'event_changed' }
  expect(await outbox()).toEqual([
    { purpose: 'event_notification', ...about, empty: false },
    { purpose: 'event_reminder', ...about, empty: false },
  ])
  await app.stack.sql('delete from public.calendar_events where id = $1', [event])
  expect(await outbox()).toMatchObject([
    { purpose: 'event_notification' },
    { purpose: 'event_reminder', empty: true },
  ])
})

it('a message says what kind it is, and names a record only with its kind', async () => {
  const write = (purpose: string, type: string | null, id: string | null) =>
    app.stack.sql(
      `insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, dedupe_key)
       values ($1, 'notification', $2, $3, $4, 'email', 'k')`,
      [place.group.id, purpose, type, id],
    )
  await expect(write('ticket_reminder', 'ticket', null)).rejects.toThrow('messages_about_check')
  await expect(write('ticket_reminder', null, place.group.id)).rejects.toThrow('messages_about_check')
  await expect(write('greeting', null, null)).rejects.toThrow('automation_type')
})
