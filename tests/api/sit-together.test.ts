import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import type { TapAnswer } from '@/lib/service/schema'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import {
  ANY_TIME,
  assign,
  book,
  DAY,
  g,
  host,
  join,
  norte,
  outcomes,
  parties,
  party,
  sala,
  seats,
  tap,
  withParties,
} from '../support/night-parties'

// Parties that sit together: each stays a reservation of its own, with its covers, guest, state and money.
stayInOneDay()
withParties()

describe('two parties that sit together', () => {
  it('share tables without a question, and each keeps its covers, note and state', async () => {
    const ana = await book('Ana Ruiz', { tables: ['S4'], notes: 'Ventana' })
    const luis = await book('Luis Gil', { tables: ['S5'], party_size: 3, notes: 'Alergia al gluten' })
    expect(await join(luis, ana, { tables: ['S4', 'S5'] })).toMatchObject({ outcome: 'saved' })
    expect(await assign(ana, ['S4', 'S5'])).toMatchObject({ outcome: 'saved' })
    expect(await party(ana)).toMatchObject({
      joined_to: null,
      tables: ['S4', 'S5'],
      party_size: 4,
      notes: 'Ventana',
    })
    expect(await party(luis)).toMatchObject({
      ...{ joined_to: ana, tables: ['S4', 'S5'], party_size: 3, notes: 'Alergia al gluten' },
      status: 'confirmed',
    })
    // Others are still asked.
    const eva = await book('Eva Sanz', { party_size: 2 })
    expect(await assign(eva, ['S5'])).toMatchObject({ outcome: 'table_taken' })
    for (const id of [ana, luis])
      expect(await outcomes(tap({ action: 'seat', reservation_id: id }))).toEqual(['saved'])
  })

  it('are too many for a table when their covers together are', async () => {
    const ana = await book('Ana Ruiz', { tables: ['S4'], party_size: 2 })
    const luis = await book('Luis Gil', { party_size: 3 })
    expect(await join(luis, ana, { tables: ['S4'] })).toMatchObject({ outcome: 'table_too_small' })
    expect(await party(luis)).toMatchObject({ joined_to: null, tables: [] })
    expect(await join(luis, ana, { tables: ['S4'], confirm: ['table_too_small'] })).toMatchObject({
      outcome: 'saved',
    })
  })

  it('are asked for their seats when they are at one table already', async () => {
    const ana = await book('Ana Ruiz', { tables: ['S4'] })
    const luis = await book('Luis Gil', { tables: ['S4'], confirm: [...ANY_TIME, 'table_taken'] })
    expect(await join(luis, ana)).toMatchObject({ outcome: 'table_too_small' })
    expect((await party(luis)).joined_to).toBeNull()
    expect(await join(luis, ana, { confirm: ['table_too_small'] })).toMatchObject({ outcome: 'saved' })
    expect((await party(luis)).joined_to).toBe(ana)
    // It is one of the changes of the booking.
    const { body } = await g.ask(host, 'GET', `/api/reservations/${luis}/activity`)
    expect(body.data[0]).toMatchObject({ action: 'reservation.changed', fields: ['joined_to'] })
  })

  it('sit apart again, and when it is taken back, as before', async () => {
    const [ana, luis] = [
      await book('Ana Ruiz', { tables: ['S4'] }),
      await book('Luis Gil', { tables: ['S5'] }),
    ]
    const [key, before] = [randomUUID(), await parties()]
    expect((await join(luis, ana, { key, tables: ['S4', 'S5'] })).outcome).toBe('saved')
    expect((await join(luis, ana, { key, tables: ['S4', 'S5'] })).outcome).toBe('repeated')
    const undo = { action: 'undo', reservation_id: luis, undoes: key }
    expect((await tap(undo)).outcome).toBe('saved')
    expect(await parties()).toEqual(before)
    expect((await tap(undo)).outcome).toBe('conflict')

    await join(luis, ana, { tables: ['S4', 'S5'] })
    expect((await join(luis, null, { tables: [] })).outcome).toBe('saved')
    expect(await party(luis)).toMatchObject({ joined_to: null, tables: [] })
    expect((await assign(luis, ['S4'])).outcome).toBe('table_taken')
  })

  it('stay together whatever the PMS says of one of them, as long as both come that night', async () => {
    const row = { status: 'confirmed', date: DAY, time: '21:00', pax: 4 }
    const one = { ...row, id: '1', client_name: 'Ana Ruiz', table_name: 'S4' }
    const other = { ...row, id: '2', client_name: 'Luis Gil', table_name: 'S5' }
    await g.sync([one, other])
    const idOf = async (name: string) => (await parties()).find((each) => each.name === name)?.id as string
    const [ana, luis] = [await idOf('Ana Ruiz'), await idOf('Luis Gil')]
    await join(luis, ana, { tables: ['S4', 'S5'] })
    await assign(ana, ['S4', 'S5'])
    await g.sync([one, { ...other, pax: 3 }])
    expect(await party(luis)).toMatchObject({ joined_to: ana, party_size: 3, tables: ['S4', 'S5'] })
    expect(await party(ana)).toMatchObject({ party_size: 4 })
    // Moved to another night it sits with nobody, and loses nothing.
    await g.sync([one, { ...other, pax: 3, date: addDays(DAY, 1) }])
    expect((await parties()).map(({ name }) => name)).toEqual(['Ana Ruiz'])
    expect((await tap({ action: 'seat', reservation_id: ana })).outcome).toBe('saved')
  })

  it('count as two visits with their own money, and as two guests', async () => {
    const ana = await book('Ana Ruiz', { customer_phone: '+34600111221', party_size: 2 })
    const luis = await book('Luis Gil', { customer_phone: '+34600111222', party_size: 3 })
    await join(luis, ana)
    for (const id of [ana, luis]) await tap({ action: 'finish', reservation_id: id })
    // Norte's average spend is 20 EUR a guest.
    const visits = await g.sql(
      `select c.first_name as name, c.total_visits as visits, c.total_spend::text as spend
       from public.customers c order by 1`,
    )
    expect(visits).toEqual([
      { name: 'Ana', visits: 1, spend: '40.00' },
      { name: 'Luis', visits: 1, spend: '60.00' },
    ])
  })
})

describe('joining taken back', () => {
  it('gives everybody what they had', async () => {
    const [ana, luis] = [await book('Ana', { tables: ['S4'] }), await book('Luis', { tables: ['S5'] })]
    const before = await parties()
    const key = randomUUID()
    expect(await outcomes(join(luis, ana, { key, tables: ['S4', 'S5'] }))).toEqual(['saved'])
    expect(await seats()).toEqual(['Ana - S4,S5', 'Luis Ana S4,S5'])
    const undo = { action: 'undo', reservation_id: luis, undoes: key }
    expect(await outcomes(tap(undo))).toEqual(['saved'])
    expect(await parties()).toEqual(before)
    const [there, back] = [randomUUID(), randomUUID()]
    await join(luis, ana, { key: there, tables: ['S4', 'S5'] })
    await join(luis, null, { key: back, tables: [] })
    expect(await seats()).toEqual(['Ana - S4,S5', 'Luis - '])
    expect(await outcomes(tap({ ...undo, undoes: back }))).toEqual(['saved'])
    expect(await outcomes(tap({ ...undo, undoes: there }))).toEqual(['saved'])
    expect(await parties()).toEqual(before)
  })

  it('is refused where it would tear others apart, or sit the party with who left', async () => {
    const [ana, luis, eva] = [await book('Ana'), await book('Luis'), await book('Eva')]
    const leave = randomUUID()
    await join(luis, ana)
    await join(luis, null, { key: leave })
    await join(eva, luis)
    const undo = { action: 'undo', reservation_id: luis, undoes: leave }
    expect(await outcomes(tap(undo))).toEqual(['conflict'])
    await join(eva, null)
    await join(ana, eva)
    expect(await outcomes(tap(undo))).toEqual(['conflict'])
    await join(ana, null)
    expect(await outcomes(tap(undo))).toEqual(['saved'])
    expect((await party(luis)).joined_to).toBe(ana)
  })

  it('leaves the party as it was when the tables are refused', async () => {
    const [ana, luis] = [await book('Ana', { tables: ['S4'] }), await book('Luis', { tables: ['S5'] })]
    await book('Eva', { tables: ['S6'] })
    const before = await parties()
    expect(await outcomes(join(luis, ana, { tables: ['S6'] }))).toEqual(['table_taken'])
    expect(await outcomes(join(luis, ana, { tables: ['S4', 'Z9'] }))).toEqual(['malformed'])
    expect(await parties()).toEqual(before)
  })
})

it('two people who join the same two at the same moment do so once, whoever is named first', async () => {
  for (let round = 0; round < 5; round++) {
    await g.sql(emptyTables('reservations', 'private.service_taps'))
    const [ana, luis] = [await book('Ana'), await book('Luis')]
    const taps = [
      tap({ action: 'join', reservation_id: luis, to: ana }, sala),
      tap({ action: 'join', reservation_id: ana, to: luis }, host),
    ]
    expect(await outcomes(...taps)).toEqual(['saved', 'saved'])
    const links = (await parties()).map(({ joined_to }) => joined_to)
    expect(links.filter(Boolean)).toHaveLength(1)
  }
})

describe('who may join parties', () => {
  it.each(['rrhh', 'pr_comunicacion'] as const)('not %s', async (role) => {
    const [ana, luis] = [await book('Ana'), await book('Luis')]
    const person = await g.hire(role)
    const taps = [{ key: randomUUID(), action: 'join', reservation_id: luis, to: ana }]
    const body = { location_id: norte, taps }
    expect(await g.ask(person, 'POST', '/api/service/taps', body)).toMatchObject({ status: 403 })
    expect((await party(luis)).joined_to).toBeNull()
  })

  it('only who works there, and only parties of there', async () => {
    const [ana, luis] = [await book('Ana'), await book('Luis')]
    const taps = [{ key: randomUUID(), action: 'join', reservation_id: luis, to: ana }]
    const elsewhere = await g.hire('operaciones', 'Sur')
    const ask = (location_id: unknown) => g.ask(elsewhere, 'POST', '/api/service/taps', { location_id, taps })
    expect(await ask(norte)).toMatchObject({ status: 404 })
    expect((await ask(g.places.Sur)).body.data).toMatchObject([{ outcome: 'not_found' }])
    expect((await party(luis)).joined_to).toBeNull()
  })

  it.each([{ to: 'ana' }, { to: 7 }, {}])('not with %j', async (given) => {
    const taps = [{ key: randomUUID(), action: 'join', reservation_id: await book('Ana'), ...given }]
    const answer = await g.ask(sala, 'POST', '/api/service/taps', { location_id: norte, taps })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'taps.0.to' }] } })
  })
})

describe('a third party', () => {
  it('is joined to the same one, whichever of the two is named', async () => {
    const [ana, luis, eva] = [await book('Ana'), await book('Luis'), await book('Eva')]
    expect(await outcomes(join(luis, ana))).toEqual(['saved'])
    expect(await outcomes(join(eva, luis))).toEqual(['saved'])
    expect((await party(eva)).joined_to).toBe(ana)
    // Also when that one does not come any more: nobody else is meant.
    await tap({ action: 'no_show', reservation_id: ana })
    const noa = await book('Noa')
    expect(await outcomes(join(noa, eva))).toEqual(['saved'])
    expect((await party(noa)).joined_to).toBe(ana)
    await join(noa, null)
    await tap({ action: 'set_back', reservation_id: ana, to: 'expected' })
    // Who is joined brings along with whom it sits.
    const pau = await book('Pau')
    expect(await outcomes(join(ana, pau))).toEqual(['saved'])
    expect((await parties()).map(({ id, joined_to }) => [id, joined_to])).toEqual(
      expect.arrayContaining([
        [ana, pau],
        [luis, pau],
        [eva, pau],
        [pau, null],
      ]),
    )
  })

  it('is one of three: as many seats as all of them, whoever sits down last', async () => {
    const [ana, luis, eva] = [
      await book('Ana', { tables: ['S4', 'S5'] }),
      await book('Luis'),
      await book('Eva'),
    ]
    for (const id of [luis, eva]) await join(id, ana)
    expect(await outcomes(assign(luis, ['S4', 'S5']))).toEqual(['saved'])
    expect(await outcomes(assign(eva, ['S4', 'S5']))).toEqual(['table_too_small'])
    expect(await outcomes(assign(ana, ['S4', 'S5', 'S6']), assign(luis, ['S6']))).toEqual(['saved', 'saved'])
    expect(await outcomes(assign(eva, ['S4', 'S5']))).toEqual(['saved'])
    expect(await outcomes(tap({ action: 'change', reservation_id: eva, party_size: 5 }))).toEqual([
      'table_too_small',
    ])
    // One of them finished: its place is free, and it is in nobody's way.
    for (const id of [ana, luis])
      expect(await outcomes(tap({ action: 'seat', reservation_id: id }))).toEqual(['saved'])
    await tap({ action: 'finish', reservation_id: luis })
    expect(await outcomes(tap({ action: 'change', reservation_id: eva, party_size: 8 }))).toEqual(['saved'])
  })

  it('does not sit with those whose first party does not come: the others still do', async () => {
    const [ana, luis, eva] = [await book('Ana', { tables: ['S4'] }), await book('Luis'), await book('Eva')]
    for (const id of [luis, eva])
      expect(await outcomes(join(id, ana, { tables: ['S4'], confirm: ['table_too_small'] }))).toEqual([
        'saved',
      ])
    await tap({ action: 'no_show', reservation_id: ana })
    expect(
      await outcomes(tap({ action: 'seat', reservation_id: luis, confirm: ['table_too_small'] })),
    ).toEqual(['saved'])
    expect(
      await outcomes(tap({ action: 'seat', reservation_id: eva, confirm: ['table_too_small'] })),
    ).toEqual(['saved'])
  })
})

it('nobody is joined to a party of another location, night or state, to itself, or to nobody', async () => {
  const ana = await book('Ana')
  const gone = await book('Luis')
  await tap({ action: 'cancel', reservation_id: gone })
  const others = [
    await book('Sur', {}, g.places.Sur),
    await book('Mañana', { reservation_date: addDays(DAY, 1) }),
    ...[gone, ana, randomUUID()],
  ]
  for (const other of others) expect(await outcomes(join(ana, other))).toEqual(['conflict'])
  expect((await party(ana)).joined_to).toBeNull()
})

it('a walk-in that was tapped without a connection is joined by its key', async () => {
  const ana = await book('Ana')
  const key = randomUUID()
  const taps = [
    { key, action: 'walk_in', party_size: 2, customer_name: 'Pau' },
    { key: randomUUID(), action: 'join', reservation_id: ana, to: key },
    { key: randomUUID(), action: 'join', of: key, to: null },
    { key: randomUUID(), action: 'join', reservation_id: ana, to: null },
  ]
  const { body } = await g.ask(sala, 'POST', '/api/service/taps', { location_id: norte, taps })
  expect(body.data.map(({ outcome }: TapAnswer) => outcome)).toEqual(['saved', 'saved', 'saved', 'saved'])
})
