import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stackClient } from '../factories/group'
import { ask } from './ask'
import { changeFunctions, changeTables, SPARES } from './cases/changes'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
  const service = stackClient(cast.stack, 'service')
  for (const home of ['Norte', 'Sur'] as const) {
    const organization_id = String(cast.ids[home])
    const phone = home === 'Norte' ? '+34600000001' : '+34600000002'
    const guests = await service
      .from('customers')
      .insert([
        { organization_id, first_name: 'Guest', phone, tags: [`de ${home}`], city: `Villa ${home}` },
        { organization_id, first_name: 'Guest', phone, tags: [] },
      ])
      .select('id')
      .throwOnError()
    const customer_id = String(guests.data[0]?.id)
    cast.ids[`${home} guest`] = customer_id
    await service
      .from('customer_aliases')
      .insert({ organization_id, customer_id, email: `antes@${home.toLowerCase()}.example` })
      .throwOnError()
    const [first_id, second_id] = [String(guests.data[1]?.id), String(cast.ids[`${home} regular`])].sort()
    await service
      .from('customer_pairs')
      .insert({
        ...{ organization_id, first_id: String(first_id), second_id: String(second_id) },
        ...{ verdict: 'different', author_name: `de ${home}` },
      })
      .throwOnError()
    const merge = await service
      .from('customer_merges')
      .insert({
        ...{ organization_id, kept_id: customer_id, gone_id: crypto.randomUUID() },
        ...{ author_name: `de ${home}`, merged_at: '2026-11-20T10:00:00Z' },
        ...{ undone_at: '2026-11-20T11:00:00Z', undone_by: `de ${home}` },
      })
      .select('id')
      .single()
      .throwOnError()
    cast.ids[`${home} merge`] = merge.data.id
    await service
      .from('identity_pairs')
      .insert({
        ...{ organization_id, first_id: String(first_id), second_id: String(second_id) },
        ...{ probability: 0.75, reasons: {} },
      })
      .throwOnError()
    // Beside those who are known to be different, two who may be one person.
    const [one, other] = guests.data.map(({ id }) => String(id)).sort()
    await service
      .from('identity_pairs')
      .insert({
        ...{ organization_id, first_id: String(one), second_id: String(other) },
        ...{ probability: 0.875, reasons: { phone: 'exact', exact: ['phone'] } },
      })
      .throwOnError()
    await service
      .from('identity_weights')
      .insert({ organization_id, field: 'given', level: 6, label: 'exact', m: 0.5, u: 0.1 })
      .throwOnError()
    if (home === 'Sur')
      await service.from('identity_settings').insert({ organization_id, likely: 0.75 }).throwOnError()
    await service
      .from('audit_log')
      .insert({
        organization_id,
        action: 'customer.created',
        subject_type: 'customer',
        subject_id: customer_id,
      })
      .throwOnError()
  }
  const organization_id = String(cast.ids.Norte)
  // What making the cast has left.
  await cast.stack.sql(`delete from public.audit_log where action <> 'customer.created'`)
  await logByLocation(organization_id)
  const spares = await service
    .from('customers')
    .insert(Array.from({ length: SPARES }, (_, n) => ({ organization_id, first_name: `Spare ${n}` })))
    .select('id')
    .throwOnError()
  spares.data.forEach(({ id }, n) => {
    cast.ids[`spare ${n}`] = id
  })
  const bookings = await service
    .from('reservations')
    .insert(
      ['Retiro', 'Sol'].map((place, n) => ({
        organization_id,
        location_id: String(cast.ids[place]),
        customer_id: cast.ids['Norte guest'],
        reservation_date: `2026-11-2${n}`,
        reservation_time: '21:00',
        party_size: 2,
      })),
    )
    .select('id, location_id')
    .throwOnError()
  cast.ids['booking in Sol'] = String(bookings.data.find((one) => one.location_id === cast.ids.Sol)?.id)
})
afterAll(() => cast?.stack.close())

/** A line about each kind of record of Retiro and of Sol, and one about the organization. */
async function logByLocation(organization: string) {
  const of = (type: string, table: string, location: string) =>
    `select '${type}' as type, id, ${location} as location_id from public.${table}`
  await cast.stack.sql(
    `insert into public.audit_log (organization_id, action, subject_type, subject_id)
     select distinct on (s.type, l.name) $1::uuid, s.type || '.of_' || l.name, s.type, s.id
     from (
       ${of('reservation', 'reservations', 'location_id')} union all
       ${of('message', 'messages', 'location_id')} where kind <> 'notification' union all
       ${of('automation', 'automations', 'location_ids[1]')} union all
       ${of('location', 'locations', 'id')} union all
       ${of('loyalty_rules', 'locations', 'id')}
     ) as s join public.locations l on l.id = s.location_id
     where l.organization_id = $1::uuid`,
    [organization],
  )
  // What is gone is of the location that its line names.
  await cast.stack.sql(
    `insert into public.audit_log (organization_id, action, subject_type, subject_id, location_id)
     select organization_id, 'ticket.of_' || name, 'ticket', gen_random_uuid(), id from public.locations
     where organization_id = $1 and name in ('Retiro', 'Sol')`,
    [organization],
  )
  await cast.stack.sql(
    `insert into public.audit_log (organization_id, action, subject_type, subject_id)
     values ($1, 'organization.changed', 'organization', $1)`,
    [organization],
  )
}

describeTables(changeTables, () => cast)
describeFunctions(changeFunctions, () => cast)

describe('calling the functions past the handlers', () => {
  const call = (name: string, body: object) =>
    ask(cast, 'operaciones', `rpc/${name}`, { method: 'POST', body })

  it('changes no field but the editable ones', async () => {
    const p_fields = { organization_id: cast.ids.Sur, total_visits: 99, source: 'PMS', first_name: 'Eva' }
    const { customer } = (await call('save_customer', { p_fields })) as { customer: { id: string } }
    expect(customer).toMatchObject({ first_name: 'Eva', total_visits: 0, source: 'Manual' })
    const rows = await cast.stack.sql(
      'select organization_id::text as o from public.customers where id = $1',
      [customer.id],
    )
    expect(rows).toEqual([{ o: cast.ids.Norte }])
  })

  it('stores no contact in another form', async () => {
    const malformed = (field: string) => ({ outcome: 'malformed', field })
    for (const [field, value] of [
      ['email', 'Ana@Correo.example'],
      ['phone', '612345678'],
      ['company', 'x'.repeat(201)],
    ] as const) {
      const p_fields = { first_name: 'Ana', [field]: value }
      expect(await call('save_customer', { p_fields })).toEqual(malformed(field))
    }
    const booking = {
      ...{ location_id: cast.ids.Sol, reservation_date: '2026-11-20', reservation_time: '21:00' },
      confirm: ['service_over'],
    }
    for (const [field, value] of [
      ['customer_email', 'Ana@Correo.example'],
      ['customer_phone', '612345678'],
      ['party_size', 0],
      ['notes', 'x'.repeat(100_000)],
    ] as const) {
      const p_fields = { ...booking, party_size: 2, [field]: value }
      expect(await call('save_reservation', { p_fields })).toEqual(malformed(field))
    }
    const made = await cast.stack.sql(
      `select 1 from public.customers where lower(email) = 'ana@correo.example'`,
    )
    expect(made).toEqual([])
  })

  it('makes no reservation pass for one of the PMS', async () => {
    const p_fields = {
      location_id: cast.ids.Sol,
      reservation_date: '2026-11-20',
      reservation_time: '21:00',
      party_size: 2,
      source: 'pms',
      external_id: 'robada',
      confirm: ['service_over'],
    }
    expect(await call('save_reservation', { p_fields })).toMatchObject({
      outcome: 'saved',
      reservation: { source: 'manual', external_id: null },
    })
  })
})

it('reading customers is needed to link one', async () => {
  const permission = `role = 'operaciones' and permission = 'canAccessClientes'`
  await cast.stack.sql(`delete from private.role_permissions where ${permission}`)
  try {
    const p_fields = { customer_id: cast.ids['Norte guest'] }
    const body = { p_id: cast.ids['booking in Sol'], p_fields: { ...p_fields, customer_name: null } }
    await cast.stack.sql('update public.reservations set customer_id = null where id = $1', [body.p_id])
    expect(await ask(cast, 'operaciones', 'rpc/save_reservation', { method: 'POST', body })).toEqual({
      outcome: 'unknown_customer',
    })
  } finally {
    await cast.stack.sql(
      `insert into private.role_permissions (role, permission) values ('operaciones', 'canAccessClientes')`,
    )
  }
})
