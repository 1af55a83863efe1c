import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { stopClock } from '../support/clock'
import { type Guests, startGuests } from '../support/guests'

stopClock()
const NAME = 'Xenofonte'
const TODAY = currentServiceDay('Europe/Madrid')

/** Answers that name a guest without the allergies, each with the reason. */
const WITHOUT: Record<string, string> = {
  '/api/customers/{id}/export': 'the person’s own file: its facts say them, with their notes',
  '/api/tickets': 'its subject is text that a person typed, of no guest by id',
  '/api/tickets/{id}': 'its subject is text that a person typed, of no guest by id',
  '/api/waitlist': 'who waits is known by the name they gave, as no guest',
}

let g: Guests
let client: Client
const ids: Record<string, string> = {}
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  client = await g.hire('super_admin')
  const made = async (path: string, body: object) => {
    const answer = await g.ask(client, 'POST', path, body)
    expect(answer.status, path).toBe(201)
    return answer.body.data.id as string
  }
  const person = { first_name: NAME, last_name: 'Ruiz', birth_date: '1990-01-01' }
  ids.customers = await made('/api/customers', { ...person, email: 'a@example.com' })
  await made('/api/customers', { ...person, email: 'b@example.com' })
  await g.sql(
    `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
     select organization_id, id, 'nuts', 'allergy', 'x' from public.customers`,
  )
  const location_id = g.places.Norte
  const booking = {
    ...{ location_id, customer_id: ids.customers, customer_name: `${NAME} Ruiz`, party_size: 2 },
    ...{ reservation_time: '21:00', reservation_date: TODAY, confirm: ['service_over', 'closed'] },
  }
  ids.reservations = await made('/api/reservations', booking)
  ids.tickets = await made('/api/tickets', { subject: `Menú de ${NAME}`, customer_id: ids.customers })
  ids['calendar-events'] = await made('/api/calendar-events', {
    ...{ title: 'Cata', event_datetime: new Date().toISOString(), location_id, customer_id: ids.customers },
  })
  await made('/api/waitlist', { location_id, name: NAME, party_size: 2 })
  await g.sql(
    `insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, language, answered_at)
     select organization_id, location_id, customer_id, id, 5, 'es', now() from public.reservations`,
  )
  const [conversation] = await g.sql<{ id: string }>(
    `insert into public.conversations (organization_id, customer_id, channel, address, last_message_at, last_inbound_at)
     values ($1, $2, 'sms', '+34600000001', now(), now()) returning id::text`,
    [g.group.id, ids.customers],
  )
  ids.conversations = conversation?.id ?? ''
  ids.feedback = (await g.sql('select id from public.feedback'))[0]?.id as string
})
afterAll(() => g?.app.close())

/** The objects of an answer that hold the name, each with what it is part of up to the next list. */
function* naming(value: unknown, around: object[] = []): Generator<object[]> {
  if (Array.isArray(value)) for (const each of value) yield* naming(each)
  else if (value !== null && typeof value === 'object') {
    const inside = [...around, value]
    for (const each of Object.values(value))
      if (typeof each === 'string' && each.includes(NAME)) yield inside
      else yield* naming(each, inside)
  }
}

const gets = Object.entries(PATHS).filter(
  ([, operations]) => operations.get && 'auth' in operations.get && operations.get.auth === 'session',
)
const named = new Set<string>()
it.each(gets.map(([path]) => path))('GET %s gives the allergies of whom it names', async (path) => {
  const [, , resource = ''] = path.split('/')
  const id = path.startsWith('/api/service/guests') ? ids.customers : ids[resource]
  const address = path.replace('{id}', id ?? g.places.Norte ?? '').replace(/\{\w+\}/g, g.places.Norte ?? '')
  const query = ['/api/service', '/api/waitlist', '/api/shift-notes'].includes(path)
    ? `?location_id=${g.places.Norte}`
    : ''
  const { status, body } = await g
    .ask(client, 'GET', address + query)
    .catch(() => ({ status: 0, body: null }))
  if (status !== 200) return
  const untold = [...naming(body)].filter((around) => {
    named.add(path)
    // A waiting party, as in /api/waitlist, also on the board.
    if (around.some((each) => 'quoted_minutes' in each)) return false
    return !around.some((each) => 'allergies' in each && (each.allergies as string[]).includes('nuts'))
  })
  if (path in WITHOUT) return expect(named, 'no longer needed in WITHOUT').toContain(path)
  expect(untold.map((around) => around.at(-1))).toEqual([])
})

it('the preview of a segment gives the allergies of whom it names, also of whom a change adds or drops', async () => {
  const nobody = { field: 'last_visit', is: 'between', from: '1990-01-01', to: '1990-01-02' }
  const everybody = { not: nobody }
  const preview = async (definition: object, id?: string) => {
    const { status, body } = await g.ask(client, 'POST', '/api/segments/preview', { definition, id })
    expect(status).toBe(200)
    return body.data
  }
  const saved = async (name: string, definition: object) =>
    (await g.ask(client, 'POST', '/api/segments', { name, definition })).body.data.id as string
  const told = [
    expect.objectContaining({ allergies: ['nuts'] }),
    expect.objectContaining({ allergies: ['nuts'] }),
  ]
  expect((await preview(everybody)).first).toEqual(told)
  const [empty, full] = [await saved('Empty', nobody), await saved('Full', everybody)]
  expect((await preview(everybody, empty)).added.first).toEqual(told)
  expect((await preview(nobody, full)).dropped.first).toEqual(told)
})

it('looked at the answers that name guests', () => {
  expect([...named].sort()).toEqual(
    expect.arrayContaining([
      '/api/conversations',
      '/api/conversations/{id}',
      '/api/customers',
      '/api/customers/duplicates',
      '/api/customers/{id}',
      '/api/feedback',
      '/api/morning',
      '/api/reservations',
      '/api/reservations/{id}',
      '/api/service',
      '/api/service/guests/{id}',
    ]),
  )
})
