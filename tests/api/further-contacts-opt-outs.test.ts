import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '@/lib/env'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import type { Client } from '../support/app'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { contactsBy } from '../support/further-contacts'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
let host: Client
let { create, read, change, merge, undo, optedOut } = {} as ReturnType<typeof contactsBy>
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Norte')
  ;({ create, read, change, merge, undo, optedOut } = contactsBy(g, boss))
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers', 'suppressions', 'audit_log', 'rate_limits')))
afterAll(() => g?.app.close())

const suppress = (channel: string, address: string, reason = 'unsubscribe') =>
  g.sql(
    'insert into public.suppressions (organization_id, channel, address, reason) values ($1, $2, $3, $4)',
    [g.group.id, channel, address, reason],
  )

describe('who opted out', () => {
  it('stays so when another address takes the first place', async () => {
    const { id } = await create({
      email: 'a@correo.example',
      emails: ['b@correo.example'],
      phone: '611111111',
    })
    await suppress('email', 'a@correo.example')
    await suppress('sms', '+34611111111', 'stop')
    await change(id, { email: 'b@correo.example', emails: ['a@correo.example'] })
    await change(id, { phones: ['622222222'] })
    await change(id, { phone: '622222222', phones: ['611111111'] })
    expect(await optedOut(id)).toEqual({ sms: true, whatsapp: false, email: true })
  })

  it('stays so over a step without a first address', async () => {
    const { id } = await create({ first_name: 'Ana', email: 'a@correo.example', phone: '611111111' })
    await suppress('email', 'a@correo.example')
    await suppress('sms', '+34611111111', 'stop')
    await change(id, { email: null, emails: ['a@correo.example'], phone: null, phones: ['622222222'] })
    await change(id, { email: 'c@correo.example', emails: [], phone: '622222222' })
    expect(await optedOut(id)).toEqual({ sms: true, whatsapp: false, email: true })
  })

  it('stays so when a booking fills the first place, or the PMS replaces the phone', async () => {
    const ana = await create({
      first_name: 'Ana',
      last_name: 'Ruiz',
      emails: ['a@correo.example'],
      phone: '611111111',
    })
    const eva = await create({ first_name: 'Eva', email: 'eva@correo.example', phone: '633333333' })
    await suppress('email', 'a@correo.example')
    await suppress('sms', '+34633333333', 'stop')
    await g.sync([
      { id: 'r1', client_name: 'Ana Ruiz', client_email: 'c@correo.example', client_phone: '611111111' },
      { id: 'r2', client_name: 'Eva', client_email: 'eva@correo.example', client_phone: '644444444' },
    ])
    expect(await read(ana.id)).toMatchObject({ email: 'c@correo.example' })
    expect(await read(eva.id)).toMatchObject({ phone: '+34644444444' })
    expect((await optedOut(ana.id)).email).toBe(true)
    expect((await optedOut(eva.id)).sms).toBe(true)
  })

  it.each(['a file', 'staff, in a booking'])('stays so when %s fills the first place', async (by) => {
    const { id } = await create({ first_name: 'Ana', emails: ['a@correo.example'], phone: '611111111' })
    await suppress('email', 'a@correo.example')
    const csv = 'Teléfono;Correo electrónico;Nombre\n611111111;c@correo.example;Ana'
    const booking = {
      ...{
        location_id: g.places.Norte,
        customer_name: 'Ana',
        party_size: 2,
        confirm: ['outside_hours', 'service_over'],
      },
      ...{ reservation_date: '2026-12-24', reservation_time: '21:00' },
      ...{ customer_phone: '611111111', customer_email: 'c@correo.example' },
    }
    if (by === 'a file') await boss.request('POST', '/api/imports', { body: csvForm(csv) })
    else expect((await g.ask(host, 'POST', '/api/reservations', booking)).status).toBe(201)
    expect(await read(id)).toMatchObject({ email: 'c@correo.example' })
    expect((await optedOut(id)).email).toBe(true)
  })

  it('a bounce stays with its address', async () => {
    const { id } = await create({ email: 'a@correo.example' })
    await suppress('email', 'a@correo.example', 'bounce')
    await change(id, { email: 'b@correo.example', emails: ['a@correo.example'] })
    expect((await optedOut(id)).email).toBe(false)
  })

  it.each(['remains', 'goes'])('stays so when a guest with further ones only %s in a merge', async (end) => {
    const quiet = await create({ first_name: 'Ana', emails: ['a@correo.example'], phones: ['611111111'] })
    const other = await create({ first_name: 'Eva', email: 'c@correo.example', phone: '622222222' })
    await suppress('email', 'a@correo.example')
    await suppress('sms', '+34611111111', 'stop')
    const [kept, gone] = end === 'remains' ? [quiet, other] : [other, quiet]
    await merge(kept.id, gone.id)
    expect(await read(kept.id)).toMatchObject({ email: 'c@correo.example', phone: '+34622222222' })
    expect(await optedOut(kept.id)).toEqual({ sms: true, whatsapp: false, email: true })
  })

  it('stays so after a merge of two guests with further ones only', async () => {
    const ana = await create({ first_name: 'Ana', emails: ['a@correo.example'] })
    const eva = await create({ first_name: 'Eva', emails: ['e@correo.example'] })
    await suppress('email', 'e@correo.example')
    await merge(ana.id, eva.id)
    await change(ana.id, { email: 'c@correo.example', emails: [] })
    expect((await optedOut(ana.id)).email).toBe(true)
  })

  it('stays so after the undo of a merge, also without a first address', async () => {
    const leo = await create({ first_name: 'Leo', emails: ['l@correo.example'], phones: ['633333333'] })
    const ana = await create({ first_name: 'Ana', email: 'a@correo.example', phone: '611111111' })
    const { merge_id } = await merge(ana.id, leo.id)
    await suppress('email', 'a@correo.example')
    await suppress('sms', '+34611111111', 'stop')
    await undo(merge_id)
    await change(leo.id, { email: 'l@correo.example', phone: '633333333' })
    expect(await optedOut(leo.id)).toEqual({ sms: true, whatsapp: false, email: true })
  })

  it('and silences nobody else by a phone that the PMS replaces with theirs', async () => {
    const eva = await create({ first_name: 'Eva', phone: '644444444' })
    const ana = await create({ first_name: 'Ana', email: 'ana@correo.example', phone: '611111111' })
    await suppress('sms', '+34611111111', 'stop')
    await g.sync([
      { id: 'r1', client_name: 'Ana', client_email: 'ana@correo.example', client_phone: '644444444' },
    ])
    expect(await read(ana.id)).toMatchObject({ phone: '+34644444444' })
    expect((await optedOut(eva.id)).sms).toBe(false)
  })
})

describe('a no from a further address', () => {
  const swapped = () =>
    create({
      ...{ first_name: 'Ana', email: 'b@correo.example', emails: ['a@correo.example'] },
      ...{ phone: '622222222', phones: ['611111111'] },
    })
  const inbound = (channel: string, wish: string) =>
    g.sql(`select public.record_inbound($1, $2, '+34611111111', p_wish => $3)`, [g.group.id, channel, wish])

  it.each(['sms', 'whatsapp'] as const)(
    'counts for the first phone by %s, and a yes lifts it',
    async (channel) => {
      const { id } = await swapped()
      const eva = await create({ first_name: 'Eva', phone: '633333333' })
      await inbound(channel, 'stop')
      const nobody = { sms: false, whatsapp: false, email: false }
      expect(await optedOut(id)).toEqual({ ...nobody, sms: true, whatsapp: true })
      expect(await optedOut(eva.id)).toEqual(nobody)
      await inbound(channel, 'start')
      expect(await optedOut(id)).toEqual(nobody)
      expect(await g.sql('select 1 from public.suppressions')).toEqual([])
    },
  )

  it('counts for the first e-mail when they unsubscribe in an older message, and the undo lifts it', async () => {
    const { id } = await swapped()
    const token = unsubscribeToken(
      { organizationId: g.group.id, channel: 'email', address: 'a@correo.example' },
      env().SECRETS_KEY,
    )
    const post = async (body?: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { status } = await g.app.client().request('POST', `/api/u/${token}`, { body, headers })
      return status
    }
    expect(await post()).toBe(200)
    expect(await optedOut(id)).toEqual({ sms: false, whatsapp: false, email: true })
    expect(await post('action=undo')).toBe(303)
    expect((await optedOut(id)).email).toBe(false)
  })

  it.each([
    ['complaint', 'unsubscribe'],
    ['bounce', undefined],
  ])('a %s there', async (reason, first) => {
    await swapped()
    await g.sql(`select public.suppress_addresses($1, 'email', array['a@correo.example'], $2)`, [
      ...[g.group.id, reason],
    ])
    const rows = await g.sql('select address, reason from public.suppressions order by address')
    expect(rows).toEqual([
      { address: 'a@correo.example', reason },
      ...(first ? [{ address: 'b@correo.example', reason: first }] : []),
    ])
  })
})
