import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReservationActivity } from '@/lib/reservations/schema'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Party, Service, TapAnswer } from '@/lib/service/schema'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stayInOneDay()
let g: Guests
let host: Client
let norte: string
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte', averageSpend: 20 }])
  host = await g.hire('operaciones')
  norte = g.group.locations[0]?.id ?? ''
})
afterAll(() => g?.app.close())
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'private.service_taps', 'audit_log')))

const ANA = { client_email: 'ana@correo.example', client_name: 'Ana Ruiz' }
const list = async (client = host) => {
  const { body } = await g.ask(client, 'GET', `/api/service?location_id=${norte}`)
  return body.data as Service
}
const only = async () => (await list()).parties[0] as Party
const tap = async (...taps: object[]) => {
  const { status, body } = await g.ask(host, 'POST', '/api/service/taps', {
    location_id: norte,
    taps: taps.map((each) => ({ key: randomUUID(), ...each })),
  })
  expect(status).toBe(200)
  return body.data as TapAnswer[]
}
const outcomes = async (...taps: object[]) => (await tap(...taps)).map(({ outcome }) => outcome)
/** A reservation of the service under way. */
const arrives = async (row: object = ANA) => {
  await g.sync([{ id: '1', status: 'confirmed', ...today(), ...row }])
  return only()
}
function today() {
  return { date: currentServiceDay('Europe/Madrid'), hour: '21:00' }
}

describe('taps', () => {
  // The embedded database has one connection: there nothing waits for anything else.
  it.runIf(process.env.STACK === 'postgres')(
    'take the group’s lock before the booking, as the sync does: neither fails for the other',
    async () => {
      const { id } = await arrives()
      const sync = g.sql(
        `do $$ begin
           perform private.lock_identities('${g.group.id}');
           perform pg_sleep(0.6);
           perform 1 from public.reservations where id = '${id}' for update nowait;
         end $$`,
      )
      const seat = async () => {
        await sleep(200)
        return outcomes({ action: 'seat', reservation_id: id, table_name: '12' })
      }
      expect((await Promise.all([seat(), sync]))[0]).toEqual(['saved'])
    },
  )

  it('arrive, sit and finish, each with its moment', async () => {
    const { id } = await arrives()
    expect(await outcomes({ action: 'arrive', reservation_id: id, seen: 'confirmed' })).toEqual(['saved'])
    expect(await only()).toMatchObject({
      status: 'confirmed',
      arrived_at: expect.any(String),
      seated_at: null,
    })
    expect(await outcomes({ action: 'seat', reservation_id: id, table_name: '12' })).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'seated', table_name: '12', seated_at: expect.any(String) })
    expect(await outcomes({ action: 'finish', reservation_id: id })).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'completed', finished_at: expect.any(String) })
  })

  it('count once, however often they are sent', async () => {
    const { id } = await arrives()
    const once = { key: randomUUID(), action: 'seat', reservation_id: id }
    expect(await outcomes(once, once)).toEqual(['saved', 'repeated'])
    expect(await outcomes(once)).toEqual(['repeated'])
  })

  it.runIf(process.env.STACK === 'postgres')(
    'sent again while the first request is under way count once too, and nobody is told otherwise',
    async () => {
      const { id } = await arrives()
      const taps = [
        { key: randomUUID(), action: 'seat', reservation_id: id, seen: 'confirmed', table_name: '12' },
        { key: randomUUID(), action: 'walk_in', party_size: 2, table_name: '14', customer_name: 'Luis' },
      ]
      await g.sql('begin')
      await g.sql('select private.lock_identities($1)', [g.group.id])
      const both = Promise.all([outcomes(...taps), outcomes(...taps)])
      const waiting = async () => {
        // Else the list of backends stays that of the transaction's first look.
        await g.sql('select pg_stat_clear_snapshot()')
        return g.sql(
          `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`,
        )
      }
      while ((await waiting()).length < 2);
      await g.sql('commit')
      expect((await both).toSorted()).toEqual([
        ['repeated', 'repeated'],
        ['saved', 'saved'],
      ])
      expect((await list()).parties.map(({ table_name, status }) => [table_name, status]).toSorted()).toEqual(
        [
          ['12', 'seated'],
          ['14', 'seated'],
        ],
      )
    },
  )

  it('that waited for a connection, of three parties and sent twice, are in the activity once and in order', async () => {
    const rows = ['1', '2', '3'].map((id) => ({ id, status: 'confirmed', ...today(), client_name: `G${id}` }))
    await g.sync(rows)
    const [one, two, three] = (await list()).parties.map(({ id }) => id)
    const waited = [
      { action: 'arrive', reservation_id: one },
      { action: 'seat', reservation_id: one, table_name: '4' },
      { action: 'finish', reservation_id: one },
      { action: 'seat', reservation_id: two, table_name: '5' },
      { action: 'no_show', reservation_id: three },
    ].map((each) => ({ key: randomUUID(), ...each }))
    expect(await outcomes(...waited)).toEqual(Array(5).fill('saved'))
    expect(await outcomes(...waited)).toEqual(Array(5).fill('repeated'))
    const activity = await Promise.all(
      [one, two, three].map(async (id) => {
        const { body } = await g.ask(host, 'GET', `/api/reservations/${id}/activity`)
        return (body.data as ReservationActivity[])
          .toReversed()
          .map(({ at, status }) => ({ at, id, to: status?.to }))
      }),
    )
    const inOrder = activity.flat().sort((a, b) => a.at.localeCompare(b.at))
    expect(inOrder.filter(({ to }) => to).map(({ id, to }) => [id, to])).toEqual([
      [one, 'seated'],
      [one, 'completed'],
      [two, 'seated'],
      [three, 'no_show'],
    ])
  })

  it('do nothing when the reservation is no longer as the person saw it', async () => {
    const { id } = await arrives()
    await tap({ action: 'seat', reservation_id: id })
    expect(await outcomes({ action: 'no_show', reservation_id: id, seen: 'confirmed' })).toEqual(['conflict'])
    expect(await only()).toMatchObject({ status: 'seated' })
  })

  it('are undone, unless something came after', async () => {
    const { id } = await arrives()
    const seat = randomUUID()
    await tap({ key: seat, action: 'seat', reservation_id: id, table_name: '4' })
    const undo = { action: 'undo', reservation_id: id, undoes: seat }
    expect(await outcomes(undo)).toEqual(['saved'])
    expect(await only()).toMatchObject({
      status: 'confirmed',
      table_name: null,
      arrived_at: null,
      seated_at: null,
    })
    const again = randomUUID()
    await tap({ key: again, action: 'seat', reservation_id: id }, { action: 'finish', reservation_id: id })
    expect(await outcomes({ ...undo, undoes: again })).toEqual(['conflict'])
  })

  it('set every state back, step by step, and are undone', async () => {
    const { id } = await arrives()
    const seated = '2026-01-01T00:00:00Z'
    await tap({ action: 'seat', reservation_id: id, table_name: '4' })
    const { arrived_at, seated_at } = await only()
    await tap({ action: 'finish', reservation_id: id })
    const back = (to: string, seen: string) => ({
      action: 'set_back',
      reservation_id: id,
      to,
      seen,
      at: seated,
    })
    expect(await outcomes(back('seated', 'completed'))).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'seated', arrived_at, seated_at, finished_at: null })
    expect(await outcomes(back('arrived', 'seated'))).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'confirmed', arrived_at, seated_at: null, table_name: '4' })
    const key = randomUUID()
    expect(await outcomes({ ...back('expected', 'confirmed'), key })).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'confirmed', arrived_at: null, seated_at: null })
    expect(await outcomes({ action: 'undo', reservation_id: id, undoes: key })).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'confirmed', arrived_at })
    for (const [action, status] of [
      ['no_show', 'no_show'],
      ['cancel', 'cancelled'],
    ] as const) {
      await tap({ action: 'arrive', reservation_id: id })
      expect(await outcomes({ action, reservation_id: id, seen: 'confirmed' }), action).toEqual(['saved'])
      expect(await only(), action).toMatchObject({ status, arrived_at: null, seated_at: null })
      expect(await outcomes(back('expected', status)), action).toEqual(['saved'])
      expect(await only(), action).toMatchObject({ status: 'confirmed', arrived_at: null })
    }
    expect(await outcomes(back('seated', 'completed'))).toEqual(['conflict'])
  })

  it('set back in a service that is over without a question: it is a mark', async () => {
    const day = '2026-01-10'
    const body = {
      ...{ location_id: norte, customer_name: 'Luis', party_size: 2, status: 'completed', table_name: '4' },
      ...{ reservation_date: day, reservation_time: '21:00', confirm: ['service_over'] },
    }
    const made = await g.ask(host, 'POST', '/api/reservations', body)
    expect(made.status).toBe(201)
    const { id } = made.body.data as { id: string }
    const was = async () => {
      const { body: found } = await g.ask(host, 'GET', `/api/reservations/${id}`)
      return (found.data as { status: string }).status
    }
    expect(await outcomes({ action: 'set_back', reservation_id: id, to: 'seated' })).toEqual(['saved'])
    expect(await was()).toBe('seated')
    expect(await outcomes({ action: 'set_back', reservation_id: id, to: 'expected' })).toEqual(['saved'])
    expect(await was()).toBe('confirmed')
    expect(await outcomes({ action: 'no_show', reservation_id: id })).toEqual(['saved'])
    expect(await outcomes({ action: 'set_back', reservation_id: id, to: 'expected' })).toEqual(['saved'])
    expect(await was()).toBe('confirmed')
  })

  it('set back to a table that another party has by now only after a yes', async () => {
    const { id } = await arrives({ ...ANA, table_name: '4' })
    await tap({ action: 'seat', reservation_id: id }, { action: 'finish', reservation_id: id })
    await tap({ action: 'walk_in', party_size: 2, table_name: '4' })
    const back = { action: 'set_back', reservation_id: id, to: 'seated' }
    expect(await tap(back)).toMatchObject([{ outcome: 'table_taken', questions: ['TABLE_TAKEN'] }])
    expect(await outcomes({ ...back, confirm: ['table_taken'] })).toEqual(['saved'])
  })

  it('set back to what the next sync leaves alone', async () => {
    await g.sync([{ id: '1', status: '2', ...today(), ...ANA }])
    const { id, status } = await only()
    expect(status).toBe('seated')
    await tap({ action: 'finish', reservation_id: id })
    await g.sync([{ id: '1', status: '2', ...today(), ...ANA }])
    expect(await only()).toMatchObject({ status: 'completed' })
    await tap({ action: 'set_back', reservation_id: id, to: 'expected' })
    await g.sync([{ id: '1', status: '2', ...today(), ...ANA }])
    expect(await only()).toMatchObject({ status: 'confirmed' })
  })

  it('are refused with a state that is none to go back to', async () => {
    const taps = [{ key: randomUUID(), action: 'set_back', reservation_id: randomUUID(), to: 'completed' }]
    const { status } = await g.ask(host, 'POST', '/api/service/taps', { location_id: norte, taps })
    expect(status).toBe(400)
  })

  it('give a table, another and none, without seating, moving or unseating anybody', async () => {
    const { id } = await arrives()
    const given = randomUUID()
    const assign = { action: 'assign', reservation_id: id, seen: 'confirmed', table_name: '12' }
    expect(await outcomes({ ...assign, key: given })).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'confirmed', table_name: '12', seated_at: null })
    await tap({ action: 'undo', reservation_id: id, undoes: given })
    expect(await only()).toMatchObject({ status: 'confirmed', table_name: null })

    const since = new Date(Date.now() - 1_800_000).toISOString()
    await tap({ action: 'seat', reservation_id: id, table_name: '4', at: since })
    const { seated_at } = await only()
    expect(await outcomes(assign)).toEqual(['conflict'])
    expect(await outcomes({ ...assign, seen: 'seated', table_name: '4+5' })).toEqual(['saved'])
    expect(await only()).toMatchObject({ status: 'seated', table_name: '4+5', seated_at })
    await tap({ ...assign, seen: 'seated', table_name: null })
    expect(await only()).toMatchObject({ status: 'seated', table_name: null, seated_at })
  })

  it('give a table that the next sync leaves alone', async () => {
    const { id } = await arrives({ ...ANA, table_name: '3' })
    expect(await only()).toMatchObject({ table_name: '3' })
    await tap({ action: 'assign', reservation_id: id, table_name: '12' })
    await arrives({ ...ANA, table_name: '3' })
    expect(await only()).toMatchObject({ table_name: '12' })
  })

  it('make a walk-in, which later taps name by its key', async () => {
    const key = randomUUID()
    const made = { key, action: 'walk_in', party_size: 2, table_name: '7' }
    expect(await outcomes(made, { action: 'finish', of: key })).toEqual(['saved', 'saved'])
    expect(await only()).toMatchObject({ walk_in: true, party_size: 2, table_name: '7', status: 'completed' })
    const other = randomUUID()
    await tap({ ...made, key: other }, { action: 'undo', of: other, undoes: other })
    expect((await list()).parties.map(({ status }) => status).sort()).toEqual(['cancelled', 'completed'])
  })
})

describe('the list', () => {
  it('suggests what notes seem to say, until someone has recorded it', async () => {
    await arrives({ ...ANA, notes: 'Alérgica a los frutos secos. Cumpleaños' })
    expect(await only()).toMatchObject({ suggested: ['nuts'], facts: [] })
    await g.sql(
      `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
       select organization_id, id, 'nuts', 'allergy', 'x' from public.customers`,
    )
    expect(await only()).toMatchObject({
      suggested: [],
      facts: [{ code: 'nuts', kind: 'allergy', note: null }],
    })
  })

  it('is of a day of this age', async () => {
    const asked = (date: string) => g.ask(host, 'GET', `/api/service?location_id=${norte}&date=${date}`)
    expect((await asked('2199-12-31')).status).toBe(200)
    for (const date of ['1899-12-31', '9999-12-31', '2026-13-45'])
      expect((await asked(date)).status, date).toBe(400)
  })
})
