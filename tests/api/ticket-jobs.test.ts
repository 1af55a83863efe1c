import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { notifyTickets, remindTickets } from '@/lib/tickets/jobs'
import { createGroup } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { arrangeNotices, counts, NOW, type Notices, plusMinutes } from '../support/notices'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let place: Notices

beforeAll(async () => {
  app = await startApp()
  place = await arrangeNotices(app.stack)
})
afterEach(() => place.clear())
afterAll(() => app?.close())

const toldBy = async (now = NOW) => counts(await notifyTickets(place.context(now)))
const warnedBy = async (now = NOW) => counts(await remindTickets(place.context(now)))

describe('ticket-notifications', () => {
  const admins = () => [place.people.admin.email, place.people.boss.email].sort()

  it('notifies the assignee of a new ticket, once', async () => {
    await place.newTicket({ assignee: place.people.cook.id })
    expect(await notifyTickets(place.context())).toEqual({
      success: true,
      timestamp: NOW,
      sent: 1,
      failed: 0,
    })
    expect(await place.messages()).toMatchObject([
      { kind: 'notification', recipient: place.people.cook.email, customer_id: null },
    ])
    expect((await place.rendered())[0]?.subject).toMatch(/^Incidencia #\d+: No imprime \(nueva\)$/)
    expect(await app.stack.sql(`select notified_at = $1 as told from public.tickets`, [NOW])).toEqual([
      { told: true },
    ])
    expect(await toldBy()).toEqual({ sent: 0, failed: 0 })
  })

  it('notifies every admin of this organization and location when there is no assignee', async () => {
    await place.newTicket({ location: place.location('Canarias') })
    expect(await toldBy()).toEqual({ sent: 2, failed: 0 })
    expect(await place.recipients()).toEqual(admins())
    await app.stack.sql(emptyTables('messages'))
    await place.newTicket({ location: place.location('Norte') })
    expect(await toldBy()).toEqual({ sent: 3, failed: 0 })
    await place.newTicket()
    expect(await toldBy()).toEqual({ sent: 3, failed: 0 })
    expect(await place.recipients()).not.toContain(place.people.foreignAdmin.email)
    await place.newTicket({ organization: place.other.id })
    expect(await toldBy()).toEqual({ sent: 1, failed: 0 })
    expect(
      (await place.recipients()).filter((email) => email === place.people.foreignAdmin.email),
    ).toHaveLength(1)
  })

  it('notifies of a comment and of a new status, priority or assignee in one e-mail', async () => {
    const cook = await signedIn(place.people.cook)
    const send = async (method: string, path: string, body: object) =>
      (await answer(await cook.request(method, path, { body }))).body.data
    const { id } = await send('POST', '/api/tickets', {
      subject: 'No imprime',
      assignee_id: place.people.cook.id,
    })
    const change = (body: object) => send('PATCH', `/api/tickets/${id}`, body)
    await toldBy()
    await send('POST', `/api/tickets/${id}/comments`, { body: 'Hola' })
    expect(await toldBy()).toEqual({ sent: 1, failed: 0 })
    await change({ status: 'waiting' })
    await change({ priority: 'urgent' })
    await send('POST', `/api/tickets/${id}/comments`, { body: '¿Y?' })
    expect(await toldBy()).toEqual({ sent: 1, failed: 0 })
    await change({ assignee_id: place.people.boss.id })
    expect(await toldBy()).toEqual({ sent: 1, failed: 0 })
    expect(await place.recipients()).toEqual(
      [...Array(3).fill(place.people.cook.email), place.people.boss.email].sort(),
    )
    for (const fields of [{ subject: 'Otra' }, { description: 'Sin papel' }]) {
      await change(fields)
      expect(await toldBy()).toEqual({ sent: 1, failed: 0 })
      await change(fields)
      expect(await toldBy()).toEqual({ sent: 0, failed: 0 })
    }
    const due = 'select number from public.tickets where changes > notified_changes'
    expect(await app.stack.sql(due)).toEqual([])
    expect((await place.rendered()).map(({ subject }) => subject.replace(/^.*\(/, '(')).sort()).toEqual([
      '(abierta)',
      '(en espera)',
      '(en espera)',
      '(en espera)',
      '(en espera)',
      '(nueva)',
    ])
  })

  it('notifies of a ticket that is closed, reopened or resolved', async () => {
    const id = await place.newTicket({ assignee: place.people.cook.id })
    for (const status of ['closed', 'open', 'resolved']) {
      await place.set('tickets', id, `status = '${status}'`)
      expect(await toldBy(), status).toEqual({ sent: 1, failed: 0 })
      expect(await toldBy(), status).toEqual({ sent: 0, failed: 0 })
    }
  })

  it('counts a ticket without a recipient as failed, once', async () => {
    const lonely = await createGroup(app.stack, 'Sin Admin')
    await place.newTicket({ organization: lonely.id })
    expect(await toldBy()).toEqual({ sent: 0, failed: 1 })
    expect(await toldBy()).toEqual({ sent: 0, failed: 0 })
  })
})

describe('ticket-reminders', () => {
  it.each([
    ['low', 54],
    ['medium', 18],
    ['high', 6],
    ['urgent', 1.5],
  ])('of %s priority goes out %d hours after its creation, once', async (priority, hours) => {
    await place.newTicket({ priority, assignee: place.people.cook.id })
    const due = plusMinutes(hours * 60)
    expect(await warnedBy(new Date(Date.parse(due) - 1).toISOString())).toEqual({ sent: 0, failed: 0 })
    expect(await warnedBy(due)).toEqual({ sent: 1, failed: 0 })
    const marked = await app.stack.sql('select sla_reminded_at = $1 as marked from public.tickets', [due])
    expect(marked).toEqual([{ marked: true }])
    expect(await warnedBy(plusMinutes(100 * 60))).toEqual({ sent: 0, failed: 0 })
    expect((await place.rendered())[0]?.subject).toMatch(
      /^Plazo a punto de vencer: Incidencia #\d+: No imprime$/,
    )
  })

  it('goes out when it is over as well, and says so', async () => {
    await place.newTicket({ priority: 'urgent', assignee: place.people.cook.id })
    expect(await remindTickets(place.context(plusMinutes(120)))).toEqual({
      success: true,
      timestamp: plusMinutes(120),
      sent: 1,
      failed: 0,
    })
    expect((await place.rendered())[0]?.subject).toMatch(/^Plazo vencido: /)
  })

  it.each([
    ['open', 1],
    ['in_progress', 1],
    ['waiting', 1],
    ['resolved', 0],
    ['closed', 0],
  ])('%s: %i', async (status, sent) => {
    await place.newTicket({ status, assignee: place.people.cook.id })
    expect(await warnedBy(plusMinutes(24 * 60))).toEqual({ sent, failed: 0 })
  })

  it('goes to the admins who see it when there is no assignee, and again for another deadline', async () => {
    const id = await place.newTicket({ priority: 'low', location: place.location('Canarias') })
    expect(await warnedBy(plusMinutes(72 * 60))).toEqual({ sent: 2, failed: 0 })
    expect(await place.recipients()).toEqual([place.people.admin.email, place.people.boss.email].sort())
    await place.set('tickets', id, `priority = 'urgent'`)
    expect(await warnedBy(plusMinutes(73 * 60))).toEqual({ sent: 2, failed: 0 })
    // Back to a deadline that they have been reminded of.
    await place.set('tickets', id, `priority = 'low'`)
    expect(await warnedBy(plusMinutes(74 * 60))).toEqual({ sent: 0, failed: 0 })
  })
})
