import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '@/lib/env'
import { linkKey, sealLink, uuidBytes } from '@/lib/messaging/link-token'
import type { Client } from '../support/app'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('super_admin')
})
beforeEach(() =>
  g.sql(emptyTables('customers', 'reservations', 'suppressions', 'import_runs', 'rate_limits')),
)
afterAll(() => g?.app.close())

const STORED = 'ana@xn--mnchen-3ya.example'
const create = (fields: object) => g.ask(boss, 'POST', '/api/customers', fields)
const problem = (path: string) => ({ status: 400, body: { issues: [expect.objectContaining({ path })] } })

describe('a guest that staff enter', () => {
  it.each([
    ['Ana <ANA@München.example>', STORED],
    ['mailto:ana@mu\u0308nchen.example', STORED],
    [' ana\u200b@xn--mnchen-3ya.example; ', STORED],
    ['JOSÉ@example.com', 'josé@example.com'],
  ])('has the e-mail %s as %s', async (email, stored) => {
    expect(await create({ first_name: 'Ana', email })).toMatchObject({
      status: 201,
      body: { data: { email: stored } },
    })
  })

  it('is known by every spelling', async () => {
    await create({ first_name: 'Ana', email: STORED })
    expect(await create({ first_name: 'Otra', email: 'ana@MÜNCHEN.example' })).toMatchObject({ status: 409 })
  })

  it.each([
    'a..b@example.com',
    'ana@example',
    'ana@example.com; bea@example.com',
    `${'a'.repeat(65)}@example.com`,
  ])('is refused with the e-mail %s', async (email) => {
    expect(await create({ first_name: 'Ana', email })).toMatchObject(problem('email'))
  })

  it('has a name without what nobody sees, and one plain space for another', async () => {
    const { body } = await create({
      first_name: '\u200fAna\u00ad\u200b',
      last_name: 'De\u00a0la\u3164Cruz\u202e',
      email: STORED,
    })
    expect(body.data).toMatchObject({ first_name: 'Ana', last_name: 'De la Cruz' })
  })

  it('has one phone: another, or words beside it, are no phone', async () => {
    for (const phone of ['600111222 / 600333444', '600111222 (marido)'])
      expect(await create({ first_name: 'Ana', phone })).toMatchObject(problem('phone'))
    expect(await create({ first_name: 'Ana', phone: 'Móvil: (+34) 600–111–222' })).toMatchObject({
      body: { data: { phone: '+34600111222' } },
    })
  })

  it('is found by the address as pages show it', async () => {
    await create({ first_name: 'Ana', email: STORED })
    await create({ first_name: 'Bea', email: 'bea@example.com' })
    for (const search of ['ana@münchen.example', 'ANA@MÜNCHEN.example', STORED])
      expect(await g.ask(boss, 'GET', `/api/customers?search=${encodeURIComponent(search)}`)).toMatchObject({
        body: { data: [{ first_name: 'Ana' }] },
      })
  })
})

it.each([
  ['/api/customers', { first_name: '\u200b\u3164', last_name: '' }],
  ['/api/tickets', { subject: '\u200b\u2060' }],
])('%s takes no name of nothing that can be seen', async (path, fields) => {
  expect((await g.ask(boss, 'POST', path, fields)).status).toBe(400)
})

describe('an imported file', () => {
  it('keeps a second number, and names words beside one', async () => {
    const file = [
      'email;telefono;nombre',
      'Ana <ana@münchen.example>;600111222 / 600333444;Ana',
      ';600555666 (casa de su madre);Bea',
      'a..b@example.com;600777888;Eva',
    ].join('\n')
    const { body } = await g.ask(boss, 'POST', '/api/admin/import-csv', csvForm(file))
    expect(body).toMatchObject({
      imported: 3,
      errors: [
        'Row 2: the words beside the phone cannot be imported; imported without it',
        'Row 3: the email is not valid; imported without it',
      ],
    })
    expect(
      await g.sql(
        `select c.first_name, c.email, c.phone, a.phone as further from public.customers c
         left join public.customer_aliases a on a.customer_id = c.id order by 1`,
      ),
    ).toEqual([
      { first_name: 'Ana', email: STORED, phone: '+34600111222', further: '+34600333444' },
      { first_name: 'Bea', email: null, phone: '+34600555666', further: null },
      { first_name: 'Eva', email: null, phone: '+34600777888', further: null },
    ])
  })
})

it.each([
  ['33', 'Tel. 612345679 / 698765432', '+33612345679', '+33698765432'],
  ['351', '912345678/917654321', '+351912345678', '+351917654321'],
  ['+44', 'móvil 7911123456', '+447911123456', null],
  ['34', '34600111228', '+34600111228', null],
  ['ES', '(+44) 20 7946 0958', '+442079460958', null],
])('with the code %s the cell “%s” of a file is %s', async (code, cell, phone, further) => {
  const { body } = await g.ask(
    boss,
    'POST',
    '/api/admin/import-csv',
    csvForm(`telefono;prefijo\n${cell};${code}`),
  )
  expect(body).toMatchObject({ imported: 1, errors: [] })
  expect(
    await g.sql(
      `select c.phone, a.phone as further from public.customers c
       left join public.customer_aliases a on a.customer_id = c.id`,
    ),
  ).toEqual([{ phone, further }])
})

it('a link of a message to another spelling unsubscribes the stored address too', async () => {
  const address = Buffer.from('ana@münchen.example', 'utf8')
  const token = sealLink(
    Buffer.concat([uuidBytes(g.group.id), Buffer.from([2]), address]),
    linkKey(env().SECRETS_KEY),
  )
  await g.app.client().request('POST', `/api/u/${token}`)
  expect(await g.sql('select address from public.suppressions order by 1 desc')).toEqual([
    { address: STORED },
    { address: 'ana@münchen.example' },
  ])
})
