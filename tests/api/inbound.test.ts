import { beforeEach, describe, expect, it } from 'vitest'
import { wishOf } from '@/lib/webhooks/wish'
import { TWILIO } from '../factories/integrations'
import { type InboundMessage, startFakeTwilio } from '../fakes/twilio/server'
import {
  automate,
  bySms,
  deliver,
  group,
  guest,
  later,
  NOON,
  phones,
  runAt,
  SITE,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

withDelivery()
beforeEach(() => sql(emptyTables('customers')))

const STOPS = [
  'STOP',
  'stop',
  ' Stop. ',
  'BAJA',
  '¡Baja!',
  '«bája»',
  'ALTO',
  '*alto* 🙏',
  'Unsubscribe',
  'unsubscribe…',
  'BAJA por favor',
  'No quiero recibir más mensajes',
  'ARRÊT',
  'stopp',
  '¿Podéis darme de baja?',
]
const NO_STOPS = [
  'CANCELAR',
  'Cancel',
  'cancelar la mesa',
  'baja 2',
  'No me des de baja',
  '¿Cómo me doy de baja?',
  'Hola',
  '',
]

const US = '+34900000001'
const number = (n: number) => `+3460000${String(1000 + n)}`
const idOf = (n: number) => `ES.1349120865530${String(1000 + n)}`

/** Writes to us; what is given by WhatsApp is a number, an id, or both. */
const write = (body: string, from: string, more: Partial<InboundMessage> = {}) => {
  const to = from.startsWith('whatsapp:') ? `whatsapp:${US}` : US
  return twilio.inbound({ from, to, body, url: `${SITE}/api/webhooks/twilio`, ...more })
}
const byNumber = (n: number) => `whatsapp:${number(n)}`
const byId = (n: number) => `whatsapp:${idOf(n)}`

const byWhatsApp = () =>
  automate({
    type: 'vip_reward',
    criteria: { min_spend: 100 },
    channel: 'whatsapp',
    content_sid: `HX${'0'.repeat(32)}`,
    content_variables: {},
  })
const people = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => guest({ first_name: `g${n}`, phone: number(n) })))
/** Who heard by a run of marketing to everyone, by that channel. */
async function heard(channel: 'sms' | 'whatsapp', at = NOON) {
  await sql(emptyTables('automations', 'automation_runs', 'messages'))
  twilio.accepted.length = 0
  await (channel === 'sms' ? bySms() : byWhatsApp())
  await runAt(at)
  return phones()
}
const suppressed = async () =>
  (
    await sql<{ line: string }>(
      `select channel || ' ' || address || ' ' || reason as line from public.suppressions order by 1`,
    )
  ).map(({ line }) => line)
const windows = async () =>
  (await sql<{ address: string }>('select address from public.whatsapp_windows order by 1')).map(
    ({ address }) => address,
  )
const whatsAppIds = async () =>
  (
    await sql<{ id: string | null }>(
      'select whatsapp_id as id from public.customers order by first_name, phone',
    )
  ).map(({ id }) => id)
async function boss() {
  const client = await signedIn(await group.person('admin'))
  return async (method: string, path: string, body?: unknown) => {
    const response = await client.request(method, path, { body })
    return response.status === 204 ? { status: 204, body: null } : answer(response)
  }
}

describe('STOP in ten spellings, and what is none', () => {
  const texts = [...STOPS, ...NO_STOPS]
  const numbersOf = (from: number) => texts.map((_, n) => number(n)).slice(from)

  it('by SMS stops SMS and WhatsApp', async () => {
    await people(texts.length)
    for (const [n, text] of texts.entries()) expect((await write(text, number(n))).status).toBe(200)
    expect(await heard('sms')).toEqual(numbersOf(STOPS.length))
    expect(await heard('whatsapp')).toEqual(numbersOf(STOPS.length))
    expect(await windows()).toEqual([])
  })

  it('by WhatsApp with a number stops WhatsApp and SMS, and any message opens the window', async () => {
    await people(texts.length)
    for (const [n, text] of texts.entries()) expect((await write(text, byNumber(n))).status).toBe(200)
    expect(await heard('whatsapp')).toEqual(numbersOf(STOPS.length))
    expect(await heard('sms')).toEqual(numbersOf(STOPS.length))
    expect(await windows()).toEqual(numbersOf(0))
  })

  it.each([
    ['with ExternalUserId', true],
    ['as the sender alone', false],
  ])('by WhatsApp without a number, the id %s, stops both to the number', async (_, named) => {
    await people(texts.length)
    for (const n of texts.keys()) await write('Hola', byNumber(n), { externalUserId: idOf(n) })
    for (const [n, text] of texts.entries()) {
      const more = named ? { externalUserId: idOf(n) } : {}
      expect((await write(text, byId(n), more)).status).toBe(200)
    }
    expect(await heard('whatsapp')).toEqual(numbersOf(STOPS.length))
    expect(await heard('sms')).toEqual(numbersOf(STOPS.length))
    for (const n of STOPS.keys()) await write('Alta', byId(n))
    expect(await suppressed()).toEqual([])
    expect(await heard('whatsapp')).toEqual(numbersOf(0))
  })

  it('does nothing when signed wrongly', async () => {
    await people(STOPS.length)
    const wrong = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: 'guessed', deliver })
    for (const from of [number(0), byNumber(0), byId(0)])
      for (const body of STOPS) {
        const to = from.startsWith('whatsapp:') ? `whatsapp:${US}` : US
        const response = await wrong.inbound({ from, to, body, url: `${SITE}/api/webhooks/twilio` })
        expect(await answer(response)).toEqual(refusal('FORBIDDEN'))
      }
    await wrong.close()
    expect([await suppressed(), await windows()]).toEqual([[], []])
    expect(await heard('whatsapp')).toHaveLength(STOPS.length)
  })

  it('counts once: the same message again, late, changes nothing', async () => {
    await people(1)
    const sid = `SM${'1'.repeat(32)}`
    await write('STOP', byNumber(0), { sid })
    await write('ALTA', byNumber(0))
    const state = () =>
      sql(`select 's' as t, to_jsonb(s)::text as row from public.suppressions s
           union all select 'w', to_jsonb(w)::text from public.whatsapp_windows w order by 1, 2`)
    const before = await state()
    expect((await write('STOP', byNumber(0), { sid })).status).toBe(200)
    expect(await state()).toEqual(before)
    expect(await heard('whatsapp')).toEqual([number(0)])
    // Another message with the same words is another wish.
    await write('STOP', byNumber(0))
    expect(await heard('whatsapp')).toEqual([])
  })

  it('is what Twilio understood too, but for words about a table', () => {
    expect(['ARRET', 'Stop por favor'].map((text) => wishOf(text, 'STOP'))).toEqual(['stop', 'stop'])
    expect(['CANCELAR', 'cancel', '¡Anular!', 'sí'].map((text) => wishOf(text, 'STOP'))).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect([wishOf('Quiero', 'START'), wishOf('YES', 'START'), wishOf('AYUDA', 'HELP')]).toEqual([
      'start',
      null,
      null,
    ])
  })
})

describe('the id of a WhatsApp user', () => {
  it('is kept on the guests of the number it comes with, and shown', async () => {
    const [ana] = await people(2)
    await guest({ first_name: 'g0', last_name: 'Familia', phone: number(0) })
    await write('Hola', byNumber(0), { externalUserId: idOf(0) })
    expect(await whatsAppIds()).toEqual([idOf(0), idOf(0), null])
    const { body } = await (await boss())('GET', `/api/customers/${ana}`)
    expect(body.data).toMatchObject({ phone: number(0), whatsapp_id: idOf(0) })
    // The whole family has that phone.
    await write('STOP', byId(0))
    expect(await heard('whatsapp')).toEqual([number(1)])
  })

  it('comes to the guest by answering a message to the number', async () => {
    await people(1)
    expect(await heard('whatsapp')).toEqual([number(0)])
    await write('Gracias', byId(0), { answers: twilio.accepted[0]?.sid })
    expect(await whatsAppIds()).toEqual([idOf(0)])
    expect(await windows()).toEqual([number(0), idOf(0)])
    await write('BAJA', byId(0))
    expect(await heard('whatsapp', later(10))).toEqual([])
  })

  it('comes to the guest with a delivery report, which opens no window', async () => {
    await people(1)
    await heard('whatsapp')
    await twilio.report(twilio.accepted[0]?.sid ?? '', { status: 'read', externalUserId: idOf(0) })
    expect(await whatsAppIds()).toEqual([idOf(0)])
    expect(await windows()).toEqual([])
  })

  it('of no customer is kept: its STOP applies as soon as number and id come together', async () => {
    await people(2)
    await write('STOP', byId(0))
    expect(await suppressed()).toEqual([`whatsapp ${idOf(0)} stop`])
    expect(await windows()).toEqual([idOf(0)])
    expect(await heard('whatsapp')).toHaveLength(2)
    await write('Una mesa para dos', byNumber(0), { externalUserId: idOf(0) })
    expect(await heard('whatsapp')).toEqual([number(1)])
    expect(await suppressed()).toEqual([`whatsapp ${number(0)} stop`, `whatsapp ${idOf(0)} stop`])
  })

  it('that came with a number before there was a guest stands for that number', async () => {
    await write('Hola', byNumber(0), { externalUserId: idOf(0) })
    await people(2)
    await write('STOP', byId(0))
    expect(await whatsAppIds()).toEqual([idOf(0), null])
    expect(await heard('whatsapp')).toEqual([number(1)])
  })

  it('is stopped by the number’s STOP, and both go again by ALTA of either', async () => {
    await people(1)
    await write('STOP', byNumber(0))
    await write('Hola', byNumber(0), { externalUserId: idOf(0) })
    expect(await suppressed()).toEqual([
      `sms ${number(0)} stop`,
      `whatsapp ${number(0)} stop`,
      `whatsapp ${idOf(0)} stop`,
    ])
    await sql('update public.customers set phone = null')
    expect(await heard('whatsapp')).toEqual([])
    await write('ALTA', byId(0))
    expect(await suppressed()).toEqual([])
    expect(await heard('whatsapp')).toEqual([idOf(0)])
  })

  it('keeps its STOP when the guest gets another number', async () => {
    const [ana] = await people(1)
    await write('STOP', byNumber(0), { externalUserId: idOf(0) })
    const changed = await (await boss())('PATCH', `/api/customers/${ana}`, { phone: '+34699000001' })
    expect(changed.status).toBe(200)
    expect(await heard('whatsapp')).toEqual([])
    expect(await heard('sms')).toEqual([])
  })

  it('of an unknown form still counts as an id; what is neither number nor id is ignored', async () => {
    await write('STOP', 'whatsapp:new-style_id.7')
    await write('STOP', 'whatsapp:')
    await write('STOP', 'whatsapp:12345')
    await write('STOP', '12345')
    await write('STOP', 'ES.1349120865530')
    await write('STOP', byNumber(3), { externalUserId: 'no id, this' })
    expect(await suppressed()).toEqual([
      `sms ${number(3)} stop`,
      `whatsapp ${number(3)} stop`,
      'whatsapp new-style_id.7 stop',
    ])
  })
})

describe('a guest who has an id and no number', () => {
  it('is written to by it within the window, and by SMS not at all', async () => {
    await guest({ first_name: 'Ana', whatsapp_id: idOf(0) })
    await automate({ type: 'vip_reward', criteria: { min_spend: 100 }, channel: 'whatsapp', body: 'Hola' })
    await runAt()
    expect(await reasons()).toEqual(['needs_template'])
    await write('Hola', byId(0))
    await sql(emptyTables('messages'))
    await runAt(later(5))
    expect(twilio.accepted.map(({ form }) => form.To)).toEqual([byId(0)])
    expect(await heard('sms')).toEqual([])
    expect(await reasons()).toEqual(['no_address'])
  })

  it('is not given up when Twilio cannot write to ids yet', async () => {
    await guest({ first_name: 'Ana', whatsapp_id: idOf(0) })
    twilio.setFault({ kind: 'reject', status: 400, code: 21211 })
    expect(await heard('whatsapp')).toEqual([])
    expect(await reasons()).toEqual(['invalid_number'])
    expect(await suppressed()).toEqual([])
  })
})
const reasons = async () =>
  (await sql<{ reason: string }>('select reason from public.messages')).map(({ reason }) => reason)

describe('what is held by the id', () => {
  async function merge(kept: string | undefined, duplicate: string | undefined) {
    const body = { duplicate_id: duplicate }
    const merged = await (await boss())('POST', `/api/customers/${kept}/merge`, body)
    // What they spent is counted anew, and these have no reservations.
    await sql('update public.customers set total_spend = 500')
    return merged
  }

  it('is erased with the guest, but for their STOP', async () => {
    const [ana] = await people(1)
    await write('STOP', byNumber(0), { externalUserId: idOf(0) })
    expect(await windows()).toEqual([number(0), idOf(0)])
    expect(await (await boss())('DELETE', `/api/customers/${ana}`)).toEqual({ status: 204, body: null })
    expect([await windows(), await whatsAppIds()]).toEqual([[], []])
    expect(await suppressed()).toHaveLength(3)
  })

  it('is in the export', async () => {
    const [ana] = await people(2)
    await write('STOP', byNumber(0), { externalUserId: idOf(0) })
    await write('STOP', byNumber(1), { externalUserId: idOf(1) })
    const { status, body } = await (await boss())('GET', `/api/customers/${ana}/export`)
    expect(status).toBe(200)
    expect(body.customer.whatsapp_id).toBe(idOf(0))
    const addresses = (rows: { address: string }[]) => rows.map(({ address }) => address).sort()
    expect(addresses(body.whatsapp_windows)).toEqual([number(0), idOf(0)])
    expect(addresses(body.suppressions)).toEqual([number(0), number(0), idOf(0)])
  })

  it('follows a merge: STOP of either is of both, and the id that lost is still theirs', async () => {
    const [ana, twin] = await people(2)
    await write('Hola', byNumber(0), { externalUserId: idOf(0) })
    await write('Hola', byNumber(1), { externalUserId: idOf(1) })
    const merged = await merge(ana, twin)
    expect(merged.body.data).toMatchObject({ phone: number(0), whatsapp_id: idOf(0) })
    expect(await heard('whatsapp')).toEqual([number(0)])
    await write('STOP', byId(1))
    expect(await heard('whatsapp')).toEqual([])
  })

  it('that was stopped stays stopped through a merge', async () => {
    const [ana, twin] = await people(2)
    await write('STOP', byNumber(1), { externalUserId: idOf(1) })
    await merge(ana, twin)
    expect(await heard('whatsapp')).toEqual([])
    expect(await whatsAppIds()).toEqual([idOf(1)])
  })
})
