import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

// Systems that ask for a birth date get 1 January 1900, and the like, from who does not know it.
let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('super_admin')
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'automations')))
afterAll(() => g?.app.close())

/** A guest who was born so many years ago tomorrow, with a booking in the current service. */
async function guest(name: string, years: number): Promise<string> {
  const [made] = await g.sql<{ id: string }>(
    `with c as (
       insert into public.customers (organization_id, first_name, email, birth_date, consents)
       values ($1, $2, lower($2) || '@correo.example',
         ((now() at time zone 'Europe/Madrid')::date + 1 - make_interval(years => $3))::date,
         '{"email": {"basis": "opt_in", "source": "staff"}}')
       returning id
     ), r as (
       insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
         reservation_time, party_size, status, source)
       select $1, $4, c.id, $2, private.current_service('Europe/Madrid', now()), '21:00', 2, 'confirmed', 'manual' from c
     )
     select id::text from c`,
    [g.group.id, name, years, g.places.Norte],
  )
  return made?.id ?? ''
}
const data = async (method: string, path: string, body?: object) => {
  const answer = await g.ask(boss, method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}

describe('a birth date that stands for none', () => {
  it.each([
    ['the year 1900', new Date().getFullYear() - 1900],
    ['an age of more than 110 years', 112],
  ])('has no birthday anywhere: %s', async (_, years) => {
    const id = await guest('Nadie', years)
    await guest('Eva', 40)
    const list = await data('GET', '/api/customers?segment=birthday')
    expect(list.map((one: { first_name: string }) => one.first_name)).toEqual(['Eva'])

    const { parties } = await data('GET', `/api/service?location_id=${g.places.Norte}`)
    const badges = parties.map((one: { name: string; birthday_in: number | null }) => [
      one.name,
      one.birthday_in !== null,
    ])
    expect(Object.fromEntries(badges)).toEqual({ Nadie: false, Eva: true })

    const definition = { field: 'birthday', is: 'next_days', days: 7 }
    expect((await data('POST', '/api/segments/preview', { definition })).customers).toBe(1)
    const automation = { type: 'birthday', channel: 'email', subject: 'Hola', body: '¡Felicidades!' }
    expect((await data('POST', '/api/automations/preview', automation)).matched).toBe(1)

    // What was typed stays.
    expect((await data('GET', `/api/customers/${id}`)).birth_date).toMatch(/^\d{4}-\d\d-\d\d$/)
  })
})
