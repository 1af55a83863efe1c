import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReservation } from '../factories/messaging'
import type { InboundMessage } from '../fakes/twilio/server'
import {
  app,
  automate,
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

withDelivery()
const US = '+34900000001'
const HOUR = 60
const DAY = 24 * HOUR
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

/** The clock of the handlers, in minutes after noon in Madrid. */
const at = (minutes: number) => vi.setSystemTime(later(minutes))
let ana: string
beforeEach(async () => {
  await sql(emptyTables('customers', 'reservations', 'tickets', 'conversations'))
  at(0)
  ana = await guest({ first_name: 'Ana', last_name: 'Ruiz', phone: number(0) })
})

const number = (n: number) => `+3460000${String(1000 + n)}`
const write = async (body: string, more: Partial<InboundMessage> = {}) => {
  const from = more.from ?? number(0)
  const to = from.startsWith('whatsapp:') ? `whatsapp:${US}` : US
  const response = await twilio.inbound({ from, to, body, url: `${SITE}/api/webhooks/twilio`, ...more })
  expect(response.status).toBe(200)
}
const conversations = () =>
  sql<{ customer_id: string | null; channel: string; address: string; unread: number }>(
    `select customer_id::text, channel, address, unread from public.conversations order by address, channel`,
  )
const texts = () =>
  sql<{ text: string | null; media: string | null }>(
    'select text, media from public.conversation_messages order by at, id',
  )
const said = async () => (await texts()).map(({ text }) => text)
const tickets = () =>
  sql<{ subject: string; description: string; customer_id: string | null; status: string }>(
    'select subject, description, customer_id::text, status from public.tickets order by number',
  )

describe('a text that is neither a STOP nor an understood answer', () => {
  it('opens a conversation of its guest, and a ticket that quotes it', async () => {
    await write('¿Tenéis trona para un bebé?')
    expect(await conversations()).toEqual([
      { customer_id: ana, channel: 'sms', address: number(0), unread: 1 },
    ])
    expect(await texts()).toEqual([{ text: '¿Tenéis trona para un bebé?', media: null }])
    expect(await tickets()).toEqual([
      {
        subject: 'Mensaje de Ana Ruiz',
        description: 'SMS: «¿Tenéis trona para un bebé?»\n\nEstá en Conversaciones, donde se contesta.',
        customer_id: ana,
        status: 'open',
      },
    ])
  })

  it('is a ticket once a local day, also by another channel and when the first is closed', async () => {
    await write('Uno')
    await sql(`update public.tickets set status = 'closed'`)
    at(12 * HOUR - 1)
    await write('Dos')
    await write('Tres', { from: `whatsapp:${number(0)}` })
    expect(await tickets()).toHaveLength(1)
    // Madrid's midnight, an hour before that of UTC.
    at(12 * HOUR)
    await write('Cuatro')
    expect((await tickets()).map(({ description }) => description.slice(0, 13))).toEqual([
      'SMS: «Uno»\n\nE',
      'SMS: «Cuatro»',
    ])
    expect(await said()).toEqual(['Uno', 'Dos', 'Tres', 'Cuatro'])
    expect(await conversations()).toMatchObject([
      { channel: 'sms', unread: 3 },
      { channel: 'whatsapp', unread: 1 },
    ])
  })

  it('comes from a stranger, and becomes the guest’s once there is one', async () => {
    await write('Hola', { from: number(7) })
    expect(await conversations()).toMatchObject([{ customer_id: null, address: number(7) }])
    expect(await tickets()).toMatchObject([{ subject: `Mensaje de ${number(7)}`, customer_id: null }])
    await write('¿Hola?', { from: number(7) })
    const luis = await guest({ first_name: 'Luis', phone: number(7) })
    at(DAY)
    await write('¿Estáis?', { from: number(7) })
    expect(await conversations()).toMatchObject([{ customer_id: luis, unread: 3 }])
    expect(await tickets()).toMatchObject([{ customer_id: null }, { subject: 'Mensaje de Luis' }])
  })

  it('delivered twice, one after the other or at once, is there once', async () => {
    const sid = `SM${'1'.repeat(32)}`
    await write('Hola', { sid })
    await write('Hola', { sid })
    const other = `SM${'2'.repeat(32)}`
    await Promise.all([1, 2, 3].map(() => write('¿Hola?', { sid: other })))
    expect(await said()).toEqual(['Hola', '¿Hola?'])
    expect(await conversations()).toMatchObject([{ unread: 2 }])
    expect(await tickets()).toHaveLength(1)
  })

  it('is kept when it has no words: a picture, a place, nothing at all', async () => {
    const from = `whatsapp:${number(0)}`
    await write('', { from, media: ['image/jpeg'] })
    at(1)
    await write('La carta', { from, media: ['application/pdf'] })
    at(2)
    await write('', { from })
    expect(await texts()).toEqual([
      { text: null, media: 'image' },
      { text: 'La carta', media: 'file' },
      { text: null, media: null },
    ])
    expect(await tickets()).toMatchObject([{ description: expect.stringContaining('WhatsApp: «(imagen)»') }])
  })

  it('is kept whole up to 4,096 characters, and quoted up to 500', async () => {
    await write('x'.repeat(5000))
    expect((await said())[0]).toHaveLength(4096)
    expect((await tickets())[0]?.description).toContain(`«${'x'.repeat(500)}»`)
  })

  it('of a person without a number goes on in the conversation of their number', async () => {
    const id = 'ES.13491208655301001'
    const name = 'Ana 🌊'
    await write('Hola', { from: `whatsapp:${id}`, name })
    expect(await conversations()).toMatchObject([{ customer_id: null, address: id }])
    expect(await tickets()).toMatchObject([{ subject: `Mensaje de ${name} (${id})` }])
    await write('Soy Ana', { from: `whatsapp:${number(0)}`, externalUserId: id })
    await write('¿Me leéis?', { from: `whatsapp:${id}` })
    expect(await conversations()).toMatchObject([{ customer_id: ana, address: number(0), unread: 3 }])
  })

  it('from a number that two guests share is of whom we last wrote to', async () => {
    const eva = await guest({ first_name: 'Eva', phone: number(0) })
    await write('Hola')
    expect(await conversations()).toMatchObject([{ customer_id: null }])
    await sql(
      `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, dedupe_key)
       values ($1, 'marketing', 'birthday', $2, 'sms', $3, 'sent', 'x')`,
      [group.id, eva, number(0)],
    )
    await write('Gracias')
    expect(await conversations()).toMatchObject([{ customer_id: eva, unread: 2 }])
  })

  it('is worded in English for who writes from there', async () => {
    await write('Do you have a high chair?', { from: '+447700900123' })
    expect(await tickets()).toMatchObject([
      {
        subject: 'Message from +447700900123',
        description: expect.stringContaining('SMS: “Do you have a high chair?”'),
      },
    ])
  })
})

describe('what needs no conversation', () => {
  it.each(['STOP', 'Baja', 'Alta', 'start'])('%s opens none', async (word) => {
    await write(word)
    await write(word, { from: number(7) })
    expect([await conversations(), await tickets()]).toEqual([[], []])
  })

  it('a STOP is read in a conversation that is there, and makes nothing unread', async () => {
    await write('Hola')
    await sql('update public.conversations set unread = 0')
    at(DAY)
    await write('STOP')
    expect(await said()).toEqual(['Hola', 'STOP'])
    expect(await conversations()).toMatchObject([{ unread: 0 }])
    expect(await tickets()).toHaveLength(1)
  })

  const ask = async () => {
    await createReservation(app.stack, group.id, {
      ...{ location_id: group.locations[0]?.id, customer_id: ana, reservation_date: '2026-11-21' },
      external_id: `PMS-${crypto.randomUUID()}`,
    })
    await automate({
      ...{ type: 'reservation_confirmation', channel: 'sms', body: '¿Vienes?' },
      criteria: { answers: true, question: 'Responde 1 o 2.', answer_hours: 72 },
    })
    await runAt(NOON)
  }

  it('an understood answer opens none', async () => {
    await ask()
    at(30)
    await write('1')
    expect([await conversations(), await tickets()]).toEqual([[], []])
  })

  it('an unclear answer opens one, with the ticket it has anyway and no other that day', async () => {
    await ask()
    at(30)
    await write('Depende del tiempo')
    expect(await said()).toEqual(['Depende del tiempo'])
    expect(await tickets()).toMatchObject([{ subject: expect.stringContaining('Respuesta de Ana Ruiz') }])
    at(31)
    await write('¿Se puede ir en tren?', { from: `whatsapp:${number(0)}` })
    expect(await tickets()).toHaveLength(1)
    expect(await said()).toHaveLength(2)
    at(32)
    await write('1')
    expect(await said()).toEqual(['Depende del tiempo', '¿Se puede ir en tren?', '1'])
  })

  it('a text that was kept is no answer to a question asked since, when it is delivered again', async () => {
    const sid = `SM${'3'.repeat(32)}`
    await write('1', { sid })
    await ask()
    at(30)
    await write('1', { sid })
    expect(await sql('select guest_answer from public.reservations')).toEqual([{ guest_answer: null }])
    expect(await said()).toEqual(['1'])
  })
})
