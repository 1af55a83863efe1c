import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TWILIO } from '../factories/integrations'
import { createReservation } from '../factories/messaging'
import { type InboundMessage, startFakeTwilio } from '../fakes/twilio/server'
import {
  app,
  automate,
  deliver,
  group,
  guest,
  later,
  NOON,
  runAt,
  SITE,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { generateReplies, randomFrom } from '../support/reply-generator'
import { answer as answerOf, signedIn } from '../support/sign-in'

withDelivery()
const US = '+34900000001'
const HOUR = 60
let ana: string
let reservation: string

beforeEach(async () => {
  await sql(emptyTables('customers', 'reservations', 'tickets', 'closed_days'))
  at(0)
  ana = await guest({ first_name: 'Ana', last_name: 'Ruiz', phone: number(0) })
  reservation = await book(ana)
})

const number = (n: number) => `+3460000${String(1000 + n)}`
/** The clock of the handlers, in minutes after noon. */
const at = (minutes: number) => vi.setSystemTime(later(minutes))
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

/** A confirmed reservation at nine tomorrow evening, of the PMS. */
const book = (customer: string, row: Record<string, unknown> = {}) =>
  createReservation(app.stack, group.id, {
    location_id: group.locations[0]?.id,
    customer_id: customer,
    external_id: `PMS-${crypto.randomUUID()}`,
    reservation_date: '2026-11-21',
    ...row,
  })
const asking = (criteria: object = {}, more: object = {}) =>
  automate({
    type: 'reservation_confirmation',
    channel: 'sms',
    body: '¿Vienes a {{ location_name }}?',
    criteria: { answers: true, question: 'Responde 1 o 2.', answer_hours: 72, ...criteria },
    ...more,
  })
/** Asks everyone who has a reservation ahead, at noon. */
async function ask(criteria: object = {}, more: object = {}) {
  const id = await asking(criteria, more)
  await runAt(NOON)
  twilio.accepted.length = 0
  return id
}
const write = (body: string, more: Partial<InboundMessage> = {}) =>
  twilio.inbound({ from: number(0), to: US, body, url: `${SITE}/api/webhooks/twilio`, ...more })
const state = async (id = reservation) => {
  const [row] = await sql<{ status: string; marks: object; guest_answer: string | null }>(
    'select status, staff_marks as marks, guest_answer from public.reservations where id = $1',
    [id],
  )
  return row
}
const UNTOUCHED = { status: 'confirmed', marks: {}, guest_answer: null }
const tickets = () =>
  sql<{
    subject: string
    description: string
    status: string
    customer_id: string
    sla: string
    comments: number
  }>(
    `select t.subject, t.description, t.status, t.customer_id, t.sla_due_at::text as sla,
       (select count(*)::int from public.ticket_comments c where c.ticket_id = t.id) as comments
     from public.tickets t order by t.number`,
  )
const further = (customer: string, phone: string) =>
  sql('insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, $3)', [
    ...[group.id, customer, phone],
  ])
const sent = () => twilio.accepted.map(({ form }) => form.Body)

describe('a guest who is asked', () => {
  it('reads the question below the text, and cancels by 2', async () => {
    await asking()
    await runAt(NOON)
    expect(sent()).toEqual(['¿Vienes a Madrid?\n\nResponde 1 o 2.'])
    at(30)
    expect((await write('2')).status).toBe(200)
    expect(await state()).toEqual({
      status: 'cancelled',
      marks: { status: 'confirmed' },
      guest_answer: 'cancelled',
    })
    expect(sent().slice(1)).toEqual([
      'Hemos cancelado tu reserva en Madrid del 21/11 a las 21:00. Responde 1 si te has equivocado.',
    ])
    expect(await tickets()).toEqual([])
  })

  it('is answered in their language, and confirms without a change of status', async () => {
    await ask()
    await write('Yes, we’ll be there!')
    expect(await state()).toEqual({ ...UNTOUCHED, guest_answer: 'confirmed' })
    expect(sent()).toEqual([
      'Thank you! Your booking at Madrid on 21/11 at 21:00 is confirmed. Reply 2 if you want to cancel it.',
    ])
  })

  it('is answered in the language on their record, else in the group’s, unless they write in English', async () => {
    await sql('update public.customers set language = $2 where id = $1', [ana, 'eu'])
    await ask()
    await write('Yes, we’ll be there!')
    expect(sent()).toEqual([expect.stringContaining('Zure erreserba berretsita dago: Madrid, 21/11, 21:00.')])
    await sql('update public.customers set language = null where id = $1', [ana])
    await sql(`update public.organizations set language = 'de'`)
    try {
      at(30)
      await write('2')
      expect(sent()[1]).toContain('Wir haben Ihre Reservierung bei Madrid am 21/11 um 21:00 storniert.')
      at(60)
      await write('Yes, we’ll be there!')
      expect(sent()[2]).toContain('Thank you! Your booking at Madrid')
    } finally {
      await sql(`update public.organizations set language = 'es'`)
    }
  })

  it('is in the activity by WhatsApp', async () => {
    await write('Hola', { from: `whatsapp:${number(0)}`, to: `whatsapp:${US}` })
    await ask({}, { channel: 'whatsapp' })
    await write('No podemos ir', { from: `whatsapp:${number(0)}`, to: `whatsapp:${US}` })
    const client = await signedIn(await group.person('operaciones'))
    const { body } = await answerOf(await client.request('GET', `/api/reservations/${reservation}/activity`))
    expect(body.data).toMatchObject([
      {
        action: 'reservation.answered',
        actor: null,
        status: { from: 'confirmed', to: 'cancelled', pms: 'confirmed' },
        answer: { answer: 'cancelled', channel: 'whatsapp' },
      },
    ])
    expect(twilio.accepted.map(({ form }) => form.To)).toEqual([`whatsapp:${number(0)}`])
  })

  it.each(['sms', 'whatsapp'])('may answer from a further number of theirs, by %s', async (channel) => {
    await further(ana, number(9))
    const by = (address: string) => (channel === 'sms' ? address : `whatsapp:${address}`)
    await write('Hola', { from: by(number(0)), to: by(US) })
    await ask({}, { channel })
    await write('2', { from: by(number(9)), to: by(US) })
    expect(await state()).toMatchObject({ status: 'cancelled', guest_answer: 'cancelled' })
    // Of what they wrote before they were asked.
    expect(await tickets()).toMatchObject([{ description: expect.stringContaining('«Hola»') }])
  })

  it('may not from a further number that is another guest’s own', async () => {
    await further(ana, number(9))
    await guest({ first_name: 'Eva', phone: number(9) })
    await ask()
    await write('2', { from: number(9) })
    expect(await state()).toEqual(UNTOUCHED)
  })

  it('may press a button of a template', async () => {
    const from = `whatsapp:${number(0)}`
    const button = (payload: string, text: string) => ({
      ...{ from, to: `whatsapp:${US}` },
      button: { payload, text },
    })
    await write('Hola', { from, to: `whatsapp:${US}` })
    await ask({}, { channel: 'whatsapp', content_sid: `HX${'0'.repeat(32)}`, content_variables: {} })
    await write('No puedo', button('cancel', 'No puedo'))
    expect(await state()).toMatchObject({ status: 'confirmed', guest_answer: null })
    await write('Cancelar', button('cancel', 'Cancelar'))
    expect(await state()).toMatchObject({ status: 'cancelled', guest_answer: 'cancelled' })
  })

  it('changes their mind until the service begins, and not after it', async () => {
    await ask()
    at(1)
    await write('2')
    at(2)
    await write('1')
    expect(await state()).toEqual({ ...UNTOUCHED, guest_answer: 'confirmed' })
    // Four days would be too late for a first answer; this is a conversation.
    at(32 * HOUR)
    await write('no podemos ir')
    expect(await state()).toMatchObject({ status: 'cancelled' })
    at(33 * HOUR + 1)
    await write('1')
    expect(await state()).toMatchObject({ status: 'cancelled' })
    expect(await tickets()).toMatchObject([
      { customer_id: ana, description: expect.stringContaining('ya había empezado') },
    ])
    expect(sent()).toHaveLength(3)
  })

  it('is taken once a message, and not answered twice for the same answer', async () => {
    await ask()
    const sid = `SM${'1'.repeat(32)}`
    await write('2', { sid })
    at(5)
    await write('1')
    at(6)
    // The same message in another form: Twilio repeats what it got no answer to.
    await write('2', { sid, optOutType: 'HELP' })
    expect(await state()).toMatchObject({ guest_answer: 'confirmed' })
    at(7)
    await write('ok gracias')
    await write('gracias')
    expect(sent()).toHaveLength(2)
    expect(await tickets()).toEqual([])
  })

  it('who sends two contradicting answers at the same time goes to staff: the order is unknown', async () => {
    await ask()
    await write('1')
    await write('2')
    expect(await state()).toEqual({ ...UNTOUCHED, guest_answer: 'confirmed' })
    expect(await tickets()).toMatchObject([
      { description: expect.stringContaining('respuestas contrarias a la vez') },
    ])
  })

  it('who changes their mind again and again is for a person', async () => {
    await ask()
    for (const [n, text] of ['1', '2', '1', '2', '1', '2', '1'].entries()) {
      at(n + 1)
      await write(text)
    }
    expect(await state()).toMatchObject({ guest_answer: 'cancelled' })
    expect(sent()).toHaveLength(6)
    expect(await tickets()).toHaveLength(1)
  })

  it('is stopped by STOP: no mark, no answer, no ticket', async () => {
    await ask()
    await write('STOP')
    expect([await state(), sent(), await tickets()]).toEqual([UNTOUCHED, [], []])
    // Who opted out still hears about their own reservation.
    at(1)
    await write('2')
    expect(sent()).toHaveLength(1)
  })

  it('who complained is not answered, and still understood', async () => {
    await ask()
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'sms', $2, 'complaint')`,
      [group.id, number(0)],
    )
    await write('2')
    expect(await state()).toMatchObject({ status: 'cancelled' })
    expect(sent()).toEqual([])
  })
})

describe('a person reads it, and nothing is changed,', () => {
  const refused = async (text: string, why: string) => {
    await write(text)
    expect(await state()).toEqual(UNTOUCHED)
    expect(sent()).toEqual([])
    expect(await tickets()).toMatchObject([{ customer_id: ana, description: expect.stringContaining(why) }])
  }

  it('when it is not plain; what else they write is added, and it is due before the reservation', async () => {
    await ask()
    await refused(`¿Puedo cancelar? ${'x'.repeat(2000)}`, 'No está claro')
    at(1)
    await write('somos 6')
    const [ticket, ...others] = await tickets()
    expect(others).toEqual([])
    expect(ticket?.comments).toBe(1)
    expect(ticket?.subject).toBe('Respuesta de Ana Ruiz sobre su reserva del 21/11 a las 21:00')
    expect(ticket?.description.length).toBeLessThan(700)
    expect(new Date(ticket?.sla ?? '').getTime()).toBeLessThan(Date.parse('2026-11-21T20:00:00Z'))
    await sql(`update public.tickets set status = 'resolved'`)
    await write('¿hola?')
    expect(await tickets()).toHaveLength(2)
  })

  it.each(['Ana no come gluten', 'Sorry, llegamos diez minutos tarde'])(
    'in Spanish about a Spanish number, whatever words they use: %s',
    async (text) => {
      await ask()
      await refused(text, 'No está claro si viene')
    },
  )

  it('in the words of the guest’s language, with what they wrote as they wrote it', async () => {
    await sql(`update public.customers set phone = '+447700900123', first_name = '{reason} Ann'`)
    await ask()
    await write('Maybe {reason} {channel}', { from: '+447700900123' })
    expect(await tickets()).toMatchObject([
      {
        subject: 'Reply from {reason} Ann Ruiz about the booking on 21 November at 21:00',
        description:
          'It is not clear whether they are coming. The booking has not been changed.\n\nSMS: “Maybe {reason} {channel}”',
      },
    ])
  })

  it('when it is due at once, because they sit down soon', async () => {
    await sql(`update public.reservations set reservation_date = '2026-11-20', reservation_time = '13:00'`)
    await ask()
    await refused('tal vez', 'No está claro')
    expect(new Date((await tickets())[0]?.sla ?? '').toISOString()).toBe('2026-11-20T11:30:00.000Z')
  })

  it('when they have several reservations', async () => {
    await ask()
    await book(ana, { reservation_date: '2026-11-28' })
    await refused('2', 'varias reservas')
  })

  it('when someone else of the same telephone has one', async () => {
    await ask()
    await book(await guest({ first_name: 'Luis', phone: number(0) }), { reservation_date: '2026-11-28' })
    await refused('2', 'varias reservas')
  })

  it('when they read something else last', async () => {
    await ask()
    at(10)
    await automate({
      type: 'vip_reward',
      criteria: { min_spend: 100 },
      channel: 'sms',
      body: 'Oferta. Responde 2.',
    })
    await runAt(later(10))
    twilio.accepted.length = 0
    at(11)
    await refused('2', 'sino a otro')
  })

  it('when they quote another message', async () => {
    await ask()
    await write('2', { answers: `SM${'9'.repeat(32)}` })
    expect(await state()).toEqual(UNTOUCHED)
    expect(await tickets()).toHaveLength(1)
  })

  it.each([
    ['the hour', { reservation_time: '22:00' }],
    ['the party', { party_size: 6 }],
    ['the day', { reservation_date: '2026-11-22' }],
  ])('when the PMS changed %s since they were asked', async (_, change) => {
    await ask()
    const [[column, value] = ['', '']] = Object.entries(change)
    await sql(`update public.reservations set ${column} = $1`, [value])
    await refused('1', 'ha cambiado')
  })

  it('when staff cancelled it', async () => {
    await ask()
    await sql(`update public.reservations set status = 'cancelled'`)
    await write('1')
    expect(await state()).toMatchObject({ status: 'cancelled', guest_answer: null })
    expect(await tickets()).toHaveLength(1)
  })

  it('when they come after all on a day that was closed meanwhile', async () => {
    await ask()
    await write('2')
    expect(await state()).toMatchObject({ status: 'cancelled', guest_answer: 'cancelled' })
    await sql(
      `insert into public.closed_days (organization_id, location_id, day, name)
       select organization_id, location_id, service_date, 'Obras' from public.reservations where id = $1`,
      [reservation],
    )
    at(1)
    await write('1')
    expect(await state()).toMatchObject({ status: 'cancelled', guest_answer: 'cancelled' })
    expect(await tickets()).toMatchObject([{ description: expect.stringContaining('ha cambiado') }])
  })

  it('when the question is too old', async () => {
    await ask({ answer_hours: 2 })
    at(2 * HOUR + 1)
    await refused('2', 'mucho después')
  })
})

describe('no reservation is marked, and nobody answered', () => {
  const nothing = async () => [await state(), sent(), await tickets()]
  // Staff read it as any other text (tests/api/conversations.test.ts).
  const READ = [UNTOUCHED, [], [expect.objectContaining({ subject: 'Mensaje de Ana Ruiz' })]]

  it('when answers are not to be understood', async () => {
    await ask({ answers: false })
    await write('2')
    expect(await nothing()).toEqual(READ)
  })

  it('without a question, or on the other channel', async () => {
    await write('2')
    await ask()
    await write('2', { from: `whatsapp:${number(0)}`, to: `whatsapp:${US}` })
    expect(await nothing()).toEqual(READ)
  })

  it('with an unknown signature', async () => {
    await ask()
    const wrong = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: 'guessed', deliver })
    const url = `${SITE}/api/webhooks/twilio`
    expect((await wrong.inbound({ from: number(0), to: US, body: '2', url })).status).toBe(403)
    await wrong.close()
    expect(await nothing()).toEqual([UNTOUCHED, [], []])
  })

  it('when the question has not gone out', async () => {
    await asking()
    twilio.setFault({ kind: 'reject', status: 400, code: 21211 })
    await runAt(NOON)
    twilio.setFault(null)
    twilio.accepted.length = 0
    await write('2')
    expect(await nothing()).toEqual(READ)
  })
})

it('generated replies do by the webhook what they mean, and traps change nothing', async () => {
  const replies = generateReplies(40, randomFrom(11))
  await sql(emptyTables('customers', 'reservations'))
  const ids: string[] = []
  for (const n of replies.keys()) ids.push(await book(await guest({ first_name: `g${n}`, phone: number(n) })))
  await ask()
  for (const [n, { text, optOutType }] of replies.entries())
    await write(text, { from: number(n), ...(optOutType ? { optOutType } : {}) })
  const rows = await sql<{ id: string; outcome: string }>(
    `select id, case when status = 'cancelled' then 'cancel' when guest_answer = 'confirmed' then 'confirm' end as outcome
     from public.reservations`,
  )
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]))
  const stopped = await sql<{ address: string }>('select address from public.suppressions')
  const did = replies.map((reply, n) => {
    const isStopped = stopped.some(({ address }) => address === number(n))
    return { ...reply, did: isStopped ? 'stop' : (outcomes.get(ids[n] ?? '') ?? 'person') }
  })
  expect(did.filter((one) => one.did !== one.truth && one.did !== 'person')).toEqual([])
  expect(did.filter((one) => one.did === 'person')).toHaveLength((await tickets()).length)
  expect(did.filter((one) => one.did === 'confirm' || one.did === 'cancel').length).toBeGreaterThan(14)
}, 240_000)

describe('the second question', () => {
  const nudge = async (minutes: number) => {
    at(minutes)
    await runAt(later(minutes))
    return sent().length
  }

  it('goes once to who has not answered, hours before', async () => {
    await ask({ nudge_hours: 6 })
    expect(await nudge(20 * HOUR)).toBe(0)
    expect(await nudge(28 * HOUR)).toBe(1)
    expect(await nudge(29 * HOUR)).toBe(1)
    await write('2')
    expect(await state()).toMatchObject({ status: 'cancelled' })
  })

  it('does not go to who has', async () => {
    await ask({ nudge_hours: 6 })
    at(1)
    await write('1')
    expect(await nudge(28 * HOUR)).toBe(1)
  })

  it('is off by default', async () => {
    await ask()
    expect(await nudge(28 * HOUR)).toBe(0)
  })
})
