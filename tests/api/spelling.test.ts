import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
})
afterAll(() => g?.app.close())

const make = (body: object) => g.ask(boss, 'POST', '/api/customers', body)
const found = async (search: string) => {
  const { body } = await g.ask(boss, 'GET', `/api/customers?search=${encodeURIComponent(search)}`)
  return (body.data as { first_name: string }[]).map((one) => one.first_name)
}

describe('a guest as somebody typed them', () => {
  it('is stored clean, with one mailbox and one number', async () => {
    const typed = { first_name: '\u200bSøren\u00a0', last_name: 'Wei\u00dfmu\u0308ller\u00ad' }
    const contact = { email: 'Søren <mailto:Soren@España.com>;', phone: 'Tel. 600–111–222 / 600333444' }
    const { status, body } = await make({ ...typed, ...contact })
    expect({ status, ...body.data }).toMatchObject({
      status: 201,
      first_name: 'Søren',
      last_name: 'Weißmüller',
      email: 'soren@xn--espaa-rta.com',
      phone: '+34600111222',
    })
  })

  it('is found by what a page shows, and by plain letters', async () => {
    for (const search of ['Søren Weißmüller', 'SOREN WEISSMULLER', 'soren@españa.com', '+34 (0)600 11 12 22'])
      expect({ search, found: await found(search) }).toEqual({ search, found: ['Søren'] })
  })

  it('is no second one under another spelling of the mailbox', async () => {
    expect((await make({ first_name: 'Otro', email: 'SOREN@xn--espaa-rta.com,' })).status).toBe(409)
  })

  it.each(['a..b@example.com', 'ana@example', 'ana bel@example.com'])('has no mailbox %s', async (email) => {
    expect((await make({ first_name: 'Ana', email })).status).toBe(400)
  })
})
