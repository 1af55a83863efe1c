import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let ana: Client
let luis: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Dos Personas', [{ name: 'Norte', slug: 'norte' }])
  ana = await signedIn(await group.person('super_admin'))
  luis = await signedIn(await group.person('super_admin'))
})
afterAll(() => app?.close())

interface Case {
  what: string
  path: string
  create: () => object
  /** A text that both change, with its values. */
  shared: [field: string, loaded: unknown, mine: unknown, theirs: unknown]
  /** A field that only the other person changes. */
  other: [field: string, loaded: unknown, theirs: unknown]
}

const CASES: Case[] = [
  {
    what: 'customer',
    path: '/api/customers',
    create: () => ({ first_name: 'Ana', notes: 'Terraza', tags: ['prensa'] }),
    shared: ['notes', 'Terraza', 'Terraza, sin gluten', 'Junto a la ventana'],
    other: ['tags', ['prensa'], ['prensa', 'vip']],
  },
  {
    what: 'reservation',
    path: '/api/reservations',
    create: () => ({
      location_id: group.locations[0]?.id,
      reservation_date: '2027-03-01',
      reservation_time: '21:00',
      party_size: 4,
      total_amount: 12.5,
      customer_name: 'Ana',
    }),
    shared: ['reservation_time', '21:00', '21:30', '22:15'],
    other: ['total_amount', 12.5, 99.9],
  },
  {
    what: 'ticket',
    path: '/api/tickets',
    create: () => ({ subject: 'No enfría', description: 'La cámara' }),
    shared: ['description', 'La cámara', 'La cámara dos', null],
    other: ['priority', 'medium', 'urgent'],
  },
  {
    what: 'event',
    path: '/api/calendar-events',
    create: () => ({ title: 'Cata', event_datetime: '2027-03-01T19:00:00+01:00', reminder_minutes: 60 }),
    shared: [
      'event_datetime',
      '2027-03-01T18:00:00.000Z',
      '2027-03-02T18:00:00.000Z',
      '2027-03-03T18:00:00.000Z',
    ],
    other: ['reminder_minutes', 60, 120],
  },
  {
    what: 'automation',
    path: '/api/automations',
    create: () => ({
      name: `Cumpleaños ${Math.random()}`,
      type: 'birthday',
      channel: 'sms',
      body: 'Felicidades',
      criteria: { days_before: 7 },
    }),
    shared: ['body', 'Felicidades', 'Muchas felicidades', 'Feliz día'],
    other: ['tags', [], ['vip']],
  },
]

const send = (client: Client, method: string, path: string, body?: unknown) =>
  client.request(method, path, { body }).then(answer)

describe.each(CASES)('two people change one $what', ({ path, create, shared, other }) => {
  const [field, loaded, mine, theirs] = shared
  const [otherField, otherLoaded, otherTheirs] = other
  let record: string
  const make = async () => {
    const made = await send(ana, 'POST', path, create())
    expect(made).toMatchObject({ status: 201 })
    record = `${path}/${made.body.data.id}`
  }
  const stored = async () => (await send(ana, 'GET', record)).body.data

  it('merges fields that only one of them changed', async () => {
    await make()
    expect(await send(luis, 'PATCH', record, { [otherField]: otherTheirs })).toMatchObject({ status: 200 })
    const saved = await send(ana, 'PATCH', record, { [field]: mine, loaded: { [field]: loaded } })
    expect(saved).toMatchObject({ status: 200, body: { data: { [field]: mine, [otherField]: otherTheirs } } })
  })

  it('refuses a field that both changed, with its value now, and changes nothing', async () => {
    await make()
    expect(await send(luis, 'PATCH', record, { [field]: theirs })).toMatchObject({ status: 200 })
    const body = {
      ...{ [field]: mine, [otherField]: otherTheirs },
      loaded: { [field]: loaded, [otherField]: otherLoaded },
    }
    const refused = await send(ana, 'PATCH', record, body)
    expect(refused).toEqual(refusal('EDITED_MEANWHILE'))
    expect(refused.body).toMatchObject({
      current: { [field]: theirs },
      issues: [{ path: field, code: 'edited' }],
    })
    expect(Object.keys(refused.body.current)).toEqual([field])
    expect(await stored()).toMatchObject({ [field]: theirs, [otherField]: otherLoaded })
    // Having seen it, she keeps hers.
    const chosen = await send(ana, 'PATCH', record, { [field]: mine, loaded: { [field]: theirs } })
    expect(chosen).toMatchObject({ status: 200, body: { data: { [field]: mine } } })
  })

  it('takes the same value from both, and any value from who says nothing of what was loaded', async () => {
    await make()
    await send(luis, 'PATCH', record, { [field]: theirs })
    const same = await send(ana, 'PATCH', record, { [field]: theirs, loaded: { [field]: loaded } })
    expect(same).toMatchObject({ status: 200 })
    expect(await send(ana, 'PATCH', record, { [field]: mine })).toMatchObject({
      status: 200,
      body: { data: { [field]: mine } },
    })
  })

  it('lets one of two simultaneous changes of one field through, and both of two fields', async () => {
    await make()
    const was = { loaded: { [field]: loaded } }
    const race = await Promise.all([
      send(ana, 'PATCH', record, { [field]: mine, ...was }),
      send(luis, 'PATCH', record, { [field]: theirs, ...was }),
    ])
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = race.find(({ status }) => status === 200)?.body.data[field]
    const lost = race.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ code: 'EDITED_MEANWHILE', current: { [field]: won } })
    expect((await stored())[field]).toEqual(won)

    await make()
    const apart = await Promise.all([
      send(ana, 'PATCH', record, { [field]: mine, ...was }),
      send(luis, 'PATCH', record, { [otherField]: otherTheirs, loaded: { [otherField]: otherLoaded } }),
    ])
    expect(apart.map(({ status }) => status)).toEqual([200, 200])
    expect(await stored()).toMatchObject({ [field]: mine, [otherField]: otherTheirs })
  })

  it('refuses what cannot have been loaded', async () => {
    await make()
    for (const bad of [{ [field]: { deep: 1 } }, { organization_id: null }, 'x', null])
      expect(await send(ana, 'PATCH', record, { [field]: mine, loaded: bad })).toEqual(
        refusal('INVALID_INPUT'),
      )
    expect((await stored())[field]).toEqual(loaded)
  })
})

it('is no field of a new record', async () => {
  const made = await send(ana, 'POST', '/api/customers', { first_name: 'Eva', loaded: { notes: null } })
  expect(made).toEqual(refusal('INVALID_INPUT'))
})
