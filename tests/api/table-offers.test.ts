import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import type { Service } from '@/lib/service/schema'
import { offerAllFreedTables, offerFreedTables } from '@/lib/waitlist/offer-tables'
import { createCustomer, createReservation } from '../factories/messaging'
import type { Client } from '../support/app'
import {
  app,
  automate,
  group,
  guest,
  later,
  runAt,
  SITE,
  service,
  sql,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

withDelivery()
const US = '+34900000001'
/** 20:30 in Madrid, on the evening of 20 November, in minutes after noon. */
const EVENING = 8 * 60 + 30
const number = (n: number) => `+3460000${String(2000 + n)}`
const at = (minutes: number) => vi.setSystemTime(later(EVENING + minutes))
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

let host: Client
let madrid: string
beforeAll(async () => {
  at(0)
  host = await signedIn(await group.person('operaciones'))
  madrid = String(group.locations[0]?.id)
})
beforeEach(async () => {
  await waitForDetachedWork()
  await sql(
    emptyTables(
      ...['waitlist', 'reservations', 'customers', 'tickets'],
      ...['dining_tables', 'closed_days', 'private.service_taps'],
    ),
  )
  await sql('update public.organizations set offer_tables_minutes = 15')
  await sql(
    `insert into public.dining_tables (organization_id, location_id, name, capacity)
     select $1, $2, n::text, 4 from generate_series(1, 6) n`,
    [group.id, madrid],
  )
  at(0)
})

const book = (row: Record<string, unknown> = {}) =>
  createReservation(app.stack, group.id, {
    location_id: madrid,
    reservation_date: '2026-11-20',
    party_size: 4,
    table_name: '4',
    ...row,
  })
let count = 0
const wait = async (name: string, party_size = 4, phone: string | null = number(++count)) => {
  const [row] = await sql<{ id: string }>(
    `insert into public.waitlist (organization_id, location_id, name, phone, party_size, joined_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz + make_interval(secs => $7)) returning id::text`,
    [group.id, madrid, name, phone, party_size, later(EVENING - 30), ++count],
  )
  return { id: row?.id ?? '', phone: phone ?? '' }
}
/** Staff cancel a reservation, and what follows from it is over. */
const cancel = async (id: string) => {
  const done = await host.request('PATCH', `/api/reservations/${id}`, { body: { status: 'cancelled' } })
  expect(done.status).toBe(200)
  await waitForDetachedWork()
}
const says = async (phone: string, body: string) => {
  const done = await twilio.inbound({ from: phone, to: US, body, url: `${SITE}/api/webhooks/twilio` })
  expect(done.status).toBe(200)
  await waitForDetachedWork()
}
const sent = () => twilio.accepted.map(({ form }) => `${form.To} ${form.Body}`)
const offers = () =>
  sql<{ line: string }>(
    `select w.name || ' ' || o.table_name || coalesce(' ' || o.outcome, '') as line
     from private.table_offers o join public.waitlist w on w.id = o.waitlist_id order by o.offered_at, line`,
  ).then((rows) => rows.map(({ line }) => line))
const bookings = () =>
  sql(
    `select customer_name as name, table_name as at, to_char(reservation_time, 'HH24:MI') as time, party_size as size
     from public.reservations where status = 'confirmed' order by 1`,
  )
const tickets = () =>
  sql<{ description: string }>('select description from public.tickets').then((rows) =>
    rows.map(({ description }) => description),
  )

describe('a table that was given back', () => {
  it('is offered to who has a mobile, past those with a landline', async () => {
    await wait('Marta', 4, '+34915551234')
    const lucia = await wait('Lucía')
    await cancel(await book())
    expect(sent().map((line) => line.split(' ')[0])).toEqual([lucia.phone])
    expect(await offers()).toEqual(['Lucía 4'])
  })

  it('is neither offered nor booked when it is closed then', async () => {
    const closed = (day: string, zone: string | null = null) =>
      sql(
        `insert into public.closed_days (organization_id, location_id, day, zone, name)
         values ($1, $2, $3, $4, 'Obras')`,
        [group.id, madrid, day, zone],
      )
    const lucia = await wait('Lucía')
    await closed('2026-11-20')
    await cancel(await book())
    expect(sent()).toEqual([])
    await sql('delete from public.closed_days; delete from public.reservations')
    await closed('2026-11-20', 'Terraza')
    await cancel(await book({ table_name: 'T9', zone_name: 'Terraza' }))
    expect(sent()).toEqual([])
    await sql('delete from public.closed_days')
    await closed('2026-11-21')
    await cancel(await book({ table_name: '5' }))
    expect(sent()).toHaveLength(1)
    await closed('2026-11-20')
    await says(lucia.phone, '1')
    expect(await bookings()).toEqual([])
    expect((await offers()).filter((line) => line.endsWith('accepted'))).toEqual([])
    expect(await tickets()).toHaveLength(1)
  })

  it('is offered to the first whom it seats; their yes books it, once', async () => {
    const gone = await book()
    await wait('Ana', 6)
    const lucia = await wait('Lucía')
    await wait('Marta', 2)
    await cancel(gone)
    expect(sent()).toEqual([
      `${lucia.phone} Se ha liberado una mesa para 4 en Madrid a las 21:00. Responde 1 antes de las 20:45 para aceptarla. Después se la ofreceremos a otra persona.`,
    ])
    await says(lucia.phone, 'Sí, vale')
    await says(lucia.phone, '1')
    expect(await bookings()).toEqual([{ name: 'Lucía', at: '4', time: '21:00', size: 4 }])
    expect(sent().slice(1)).toEqual([`${lucia.phone} La mesa en Madrid es tuya a las 21:00. ¡Te esperamos!`])
    expect(await offers()).toEqual(['Lucía 4 accepted'])
    expect(await tickets()).toEqual([])
    const { body } = await answer(await host.request('GET', `/api/service?location_id=${madrid}`))
    expect((body as { data: Service }).data.waiting.map(({ name }) => name)).toEqual(['Ana', 'Marta'])
  })

  it('is offered, booked and refused in English at a British number', async () => {
    const [first, second] = [await book(), await book({ table_name: '5' })]
    const ann = await wait('Ann', 4, '+447700900123')
    await cancel(first)
    await says(ann.phone, 'maybe')
    at(16)
    await says(ann.phone, '1')
    at(17)
    await cancel(second)
    await says(ann.phone, '1')
    expect(sent()).toEqual(
      [
        'A table for 4 is free at Madrid at 21:00. Reply 1 before 20:45 to take it. After that we offer it to somebody else.',
        'We are sorry: the table at Madrid at 21:00 is no longer free. You are still on our list.',
        'A table for 4 is free at Madrid at 21:00. Reply 1 before 21:02 to take it. After that we offer it to somebody else.',
        'The table at Madrid is yours at 21:00. See you soon!',
      ].map((text) => `${ann.phone} ${text}`),
    )
    expect(await tickets()).toEqual(['It is not clear whether they want it.\n\nSMS: “maybe”'])
  })

  it('is offered and booked in the language of the guest who has the number', async () => {
    const cancelled = await book()
    const lucia = await wait('Lucía', 4)
    await createCustomer(app.stack, group.id, { first_name: 'Lucía', phone: lucia.phone, language: 'fr' })
    await cancel(cancelled)
    await says(lucia.phone, '1')
    expect(sent()).toEqual([
      expect.stringContaining("Une table pour 4 s'est libérée chez Madrid à 21:00."),
      `${lucia.phone} La table chez Madrid est à vous à 21:00. Nous vous attendons\u00a0!`,
    ])
  })

  it('is offered to nobody unless the group wants it', async () => {
    await sql('update public.organizations set offer_tables_minutes = null')
    const gone = await book()
    await wait('Lucía')
    await cancel(gone)
    expect(sent()).toEqual([])
  })

  it('is offered after a no-show and a guest’s own cancellation too', async () => {
    const gone = await book({ reservation_time: '20:15' })
    const lucia = await wait('Lucía')
    const tap = { key: crypto.randomUUID(), action: 'no_show', reservation_id: gone }
    await host.request('POST', '/api/service/taps', { body: { location_id: madrid, taps: [tap] } })
    await waitForDetachedWork()
    expect(sent()[0]).toContain(`${lucia.phone} Se ha liberado una mesa para 4 en Madrid a las 20:30.`)
  })

  it('is offered too when the booking left the PMS, and no longer once it is there again', async () => {
    await book({ external_id: 'gone' })
    await book({ external_id: 'other', table_name: '5' })
    await wait('Lucía')
    await wait('Marta')
    const days = { p_location: madrid, p_from: '2026-11-20', p_to: '2026-11-20' }
    const answer = { ...days, p_ids: ['other'], p_minutes: 10, p_reader: 'schedule' }
    for (const minutes of [-15, 0]) {
      expect(await offers()).toEqual([])
      await service()
        .rpc('take_out_missing', { ...answer, p_at: later(EVENING + minutes).toISOString() })
        .throwOnError()
      await offerAllFreedTables()
    }
    expect(await offers()).toEqual(['Lucía 4'])
    const row = {
      external_id: 'gone',
      reservation_date: '2026-11-20',
      reservation_time: '21:00',
      party_size: 4,
    }
    const p_rows = [{ ...row, status: 'confirmed', pms_status: '1', table_name: '4' }]
    await service()
      .rpc('sync_reservations', { p_location: madrid, p_rows, p_now: later(EVENING).toISOString() })
      .throwOnError()
    at(16)
    await offerAllFreedTables()
    expect(await offers()).toEqual(['Lucía 4 expired'])
  })

  it('goes to the next one when the time is over, and never twice to the same', async () => {
    const gone = await book()
    await wait('Lucía')
    await wait('Marta')
    await cancel(gone)
    at(14)
    await offerAllFreedTables()
    expect(await offers()).toEqual(['Lucía 4'])
    at(15)
    await offerAllFreedTables()
    expect(await offers()).toEqual(['Lucía 4 expired', 'Marta 4'])
    at(30)
    await offerAllFreedTables()
    at(31)
    await offerAllFreedTables()
    expect(await offers()).toEqual(['Lucía 4 expired', 'Marta 4 expired'])
    expect(sent()).toHaveLength(2)
  })

  it('goes to the next one after a no', async () => {
    const gone = await book()
    const lucia = await wait('Lucía')
    await wait('Marta')
    await cancel(gone)
    await says(lucia.phone, 'No podemos, gracias')
    expect(await offers()).toEqual(['Lucía 4 declined', 'Marta 4'])
    expect(await bookings()).toEqual([])
  })

  it('that is accepted too late is not booked: they are told, staff get a ticket, and the next one the offer', async () => {
    const gone = await book()
    const lucia = await wait('Lucía')
    await wait('Marta')
    await cancel(gone)
    at(16)
    await says(lucia.phone, '1')
    expect(await bookings()).toEqual([])
    expect(sent()[1]).toBe(
      `${lucia.phone} Lo sentimos: la mesa en Madrid a las 21:00 ya no está libre. Sigues en la lista.`,
    )
    expect(await tickets()).toEqual([expect.stringContaining('ya no está libre')])
    expect(await offers()).toEqual(['Lucía 4 expired', 'Marta 4'])
  })

  it('and that staff gave away meanwhile is not booked twice', async () => {
    const gone = await book()
    const lucia = await wait('Lucía')
    await cancel(gone)
    await book({ customer_name: 'Nuevo' })
    await says(lucia.phone, 'ok')
    expect(await bookings()).toEqual([{ name: 'Nuevo', at: '4', time: '21:00', size: 4 }])
    expect(await offers()).toEqual(['Lucía 4 gone'])
    expect(await tickets()).toHaveLength(1)
  })

  it('that somebody takes who has left the waitlist is not theirs: neither they nor staff read that they wait', async () => {
    const gone = await book()
    const lucia = await wait('Lucía')
    await cancel(gone)
    await sql(`update public.waitlist set outcome = 'left', ended_at = now()`)
    at(1)
    await says(lucia.phone, '1')
    expect(await bookings()).toEqual([])
    expect(sent()[1]).toBe(`${lucia.phone} Lo sentimos: la mesa en Madrid a las 21:00 ya no está libre.`)
    expect(await tickets()).toEqual([expect.stringContaining('ya no está en la lista de espera')])
  })

  it('that they took and can no longer use is for a person: the booking stays', async () => {
    const gone = await book()
    const lucia = await wait('Lucía')
    await cancel(gone)
    await says(lucia.phone, '1')
    at(5)
    await says(lucia.phone, 'gracias')
    await says(lucia.phone, 'Al final no podemos ir')
    expect(await bookings()).toHaveLength(1)
    expect(await tickets()).toEqual([expect.stringContaining('tiene la reserva hecha')])
    expect(sent()).toHaveLength(2)
  })

  it.each(['¿Cuánto tardaría?', 'sí, pero somos 5', '11'])(
    'is not booked by %j: a person reads it',
    async (text) => {
      const gone = await book()
      const lucia = await wait('Lucía')
      await cancel(gone)
      await says(lucia.phone, text)
      expect(await bookings()).toEqual([])
      expect(await offers()).toEqual(['Lucía 4'])
      expect(await tickets()).toEqual([expect.stringContaining(`«${text}»`)])
      expect(sent()).toHaveLength(1)
    },
  )

  it('is offered to nobody who is suppressed, has no phone, was called, or does not fit', async () => {
    const gone = await book()
    const stopped = await wait('Paz')
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'sms', $2, 'stop')`,
      [group.id, stopped.phone],
    )
    await wait('Sin', 2, null)
    const called = await wait('Berta')
    await sql('update public.waitlist set called_at = joined_at where id = $1', [called.id])
    await wait('Ana', 5)
    await cancel(gone)
    expect(sent()).toEqual([])
  })

  it('is no offer while another party has the table by then', async () => {
    const gone = await book()
    await book({ customer_name: 'Otra', reservation_time: '22:00' })
    await wait('Lucía', 2)
    await cancel(gone)
    expect(sent()).toEqual([])
  })
})

describe('a guest who takes back their cancellation', () => {
  const REGRETS = number(900)
  /** Cancels as the guest does, by 2; the table is offered to Lucía. */
  async function cancelled() {
    const ana = await guest({ first_name: 'Ana', phone: REGRETS })
    await book({ customer_id: ana, customer_name: 'Ana' })
    const lucia = await wait('Lucía')
    await automate({
      type: 'reservation_confirmation',
      channel: 'sms',
      body: '¿Vienes?',
      criteria: { answers: true },
    })
    await runAt(later(EVENING))
    at(1)
    await says(REGRETS, '2')
    expect(await offers()).toEqual(['Lucía 4'])
    at(2)
    return lucia
  }

  it('keeps the table that is only on offer', async () => {
    const lucia = await cancelled()
    await says(REGRETS, '1')
    await says(lucia.phone, '1')
    expect(await offers()).toEqual(['Lucía 4 gone'])
    expect(await bookings()).toEqual([{ name: 'Ana', at: '4', time: '21:00', size: 4 }])
  })

  it('goes to staff when it was given away: a table has one party', async () => {
    const lucia = await cancelled()
    await says(lucia.phone, '1')
    await says(REGRETS, '1')
    expect(await bookings()).toEqual([{ name: 'Lucía', at: '4', time: '21:00', size: 4 }])
    expect(await tickets()).toEqual([expect.stringContaining('La reserva ha cambiado')])
  })
})

it('an erasure removes the offers, and the messages about them', async () => {
  const gone = await book()
  const lucia = await wait('Lucía')
  await cancel(gone)
  at(16)
  await says(lucia.phone, '1')
  await sql(`update public.waitlist set joined_at = joined_at - interval '31 days' where id = $1`, [lucia.id])
  const messages = () => sql('select 1 from public.messages where recipient = $1', [lucia.phone])
  expect(await messages()).toHaveLength(2)
  const id = await createCustomer(app.stack, group.id, { first_name: 'Lucía', phone: lucia.phone })
  const boss = await signedIn(await group.person('admin'))
  expect((await boss.request('DELETE', `/api/customers/${id}`)).status).toBe(204)
  expect(await messages()).toEqual([])
  expect(await offers()).toEqual([])
})

it('two tables go to two parties, and the same table of two reservations to one', async () => {
  const gone = [await book(), await book({ table_name: '5' }), await book({ reservation_time: '21:30' })]
  await wait('Lucía')
  await wait('Marta')
  await wait('Eva')
  await sql(`update public.reservations set status = 'cancelled' where id = any($1)`, [gone])
  await offerFreedTables(group.id)
  expect((await offers()).map((line) => line.split(' ')[1]).sort()).toEqual(['4', '5'])
  expect(new Set((await offers()).map((line) => line.split(' ')[0])).size).toBe(2)
})

it('many offers and answers at the same time book a table once', async () => {
  const gone = [await book(), await book({ table_name: '5' })]
  const parties = [await wait('Lucía'), await wait('Marta'), await wait('Eva')]
  await sql(`update public.reservations set status = 'cancelled' where id = any($1)`, [gone])
  await Promise.all(Array.from({ length: 4 }, () => offerFreedTables(group.id)))
  expect(await offers()).toHaveLength(2)
  const yes = parties.flatMap(({ phone }) => [says(phone, '1'), says(phone, 'sí'), says(phone, 'vale')])
  await Promise.all([...yes, offerFreedTables(group.id)])
  expect((await bookings()).map((row) => (row as { at: string }).at).sort()).toEqual(['4', '5'])
})
