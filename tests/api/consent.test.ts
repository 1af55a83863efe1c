import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '@/lib/env'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { stackClient } from '../factories/group'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'

let g: Guests
let boss: Client
let host: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Sur')
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'suppressions', 'import_runs', 'audit_log')))
afterAll(() => g?.app.close())

const PATH = '/api/customers'
const ANA = { email: 'ana@correo.example', phone: '+34612345678', first_name: 'Ana', last_name: 'Ruiz' }
const NOTHING = { basis: 'none', source: null, at: null, author: null, reason: null, opted_out: false }

async function create(fields: object = ANA): Promise<{ id: string; consent: Record<string, object> }> {
  const { status, body } = await g.ask(boss, 'POST', PATH, fields)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.data
}
const patch = (id: string, consent: unknown, client = boss) =>
  g.ask(client, 'PATCH', `${PATH}/${id}`, { consent })
const consentOf = async (id: string) => (await g.ask(boss, 'GET', `${PATH}/${id}`)).body.data.consent
const found = async (filter: string) => {
  const { body } = await g.ask(boss, 'GET', `${PATH}?consent=${filter}`)
  return body.data.map(({ first_name }: { first_name: string }) => first_name).sort()
}
const idOf = async (email: string) => {
  const [row] = await g.sql<{ id: string }>('select id::text from public.customers where email = $1', [email])
  return row?.id ?? ''
}
const changes = () =>
  g.sql(
    `select a.details -> 'fields' ->> 0 as field, a.details -> 'before' as before, a.details -> 'after' as after,
       p.role as actor
     from public.audit_log a left join public.profiles p on p.id = a.actor_id
     where a.action = 'customer.consent_changed' order by a.created_at, a.id`,
  )
/** An import's rows, as the upload saves them. */
async function imported(consent: string, rows: object[]): Promise<void> {
  const [run] = await g.sql<{ id: string }>(
    `insert into public.import_runs (organization_id, profile_id, file_name, consent)
     select $1, id, 'clientes.csv', $2 from public.profiles where organization_id = $1 and role = 'admin' returning id::text`,
    [g.group.id, consent],
  )
  const numbered = rows.map((row, n) => ({ line: n + 2, tags: [], ...row }))
  const parameters = { p_import: run?.id ?? '', p_rows: numbered }
  await stackClient(g.app.stack, 'service').rpc('import_customers', parameters).throwOnError()
}
const unsubscribe = (address: string) => {
  const token = unsubscribeToken({ organizationId: g.group.id, channel: 'email', address }, env().SECRETS_KEY)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return g.app.client().request('POST', `/api/u/${token}`, { body: 'List-Unsubscribe=One-Click', headers })
}

describe('the basis', () => {
  it('of a guest of the PMS is their first visit, and nothing before it', async () => {
    const contact = { client_email: 'ana@correo.example', client_phone: '612345678', client_name: 'Ana' }
    await g.sync([{ id: '1', ...contact, status: 'cancelled' }])
    const id = await idOf('ana@correo.example')
    expect(await consentOf(id)).toEqual({ whatsapp: NOTHING, sms: NOTHING, email: NOTHING })
    await g.sync([
      { id: '1', ...contact, date: '2026-05-03' },
      { id: '2', ...contact, date: '2026-05-01' },
    ])
    const came = {
      ...NOTHING,
      basis: 'existing_customer',
      source: 'visit',
      at: '2026-05-01T19:00:00.000Z',
    }
    expect(await consentOf(id)).toEqual({ whatsapp: came, sms: came, email: came })
    const { body } = await g.ask(boss, 'GET', PATH)
    expect(body.data).toMatchObject([{ id, consent: { email: came } }])
  })

  it('of a guest made by hand is none, unless the form says so', async () => {
    expect((await create()).consent).toEqual({ whatsapp: NOTHING, sms: NOTHING, email: NOTHING })
    const signed = { email: { basis: 'opt_in', reason: 'Firmó en la barra' } }
    const { consent } = await create({ first_name: 'Eva', email: 'eva@correo.example', consent: signed })
    expect(consent).toMatchObject({
      sms: NOTHING,
      email: { basis: 'opt_in', source: 'staff', reason: 'Firmó en la barra', opted_out: false },
    })
  })

  it.each(['opt_in', 'existing_customer', 'none'])(
    'of an imported guest is what the import declared: %s',
    async (basis) => {
      await imported(basis, [{ email: 'ana@correo.example' }])
      expect((await consentOf(await idOf('ana@correo.example'))).email).toMatchObject({
        basis,
        source: 'import',
        at: expect.stringMatching(/Z$/),
        author: expect.stringMatching(/\S/),
        opted_out: false,
      })
    },
  )

  it('of a known guest is left to an import only where there is none; the staff’s no stands', async () => {
    const [bea, eva, ana] = [
      await create({ email: 'bea@correo.example' }),
      await create({ email: 'eva@correo.example' }),
      await create(),
    ]
    await patch(bea.id, { email: { basis: 'opt_in', reason: 'Firmó' } })
    await patch(eva.id, { email: { basis: 'none', reason: 'No quiere' } })
    const rows = ['ana', 'bea', 'eva'].map((name) => ({ email: `${name}@correo.example` }))
    await imported('existing_customer', rows)
    await imported('opt_in', rows)
    expect((await consentOf(ana.id)).email).toMatchObject({ basis: 'existing_customer', source: 'import' })
    expect(await consentOf(bea.id)).toMatchObject({
      email: { basis: 'opt_in', source: 'staff' },
      sms: { basis: 'existing_customer', source: 'import' },
    })
    expect((await consentOf(eva.id)).email).toMatchObject({ basis: 'none', source: 'staff' })
  })

  it('comes with a visit where an import declared none, and does not where the staff said no', async () => {
    await imported('none', [{ email: 'ana@correo.example' }, { email: 'eva@correo.example' }])
    const [ana, eva] = [await idOf('ana@correo.example'), await idOf('eva@correo.example')]
    await patch(eva, { email: { basis: 'none', reason: 'No quiere' } })
    await g.sync(['ana', 'eva'].map((name, n) => ({ id: `${n}`, client_email: `${name}@correo.example` })))
    expect((await consentOf(ana)).email).toMatchObject({ basis: 'existing_customer', source: 'visit' })
    expect((await consentOf(eva)).email).toMatchObject({ basis: 'none', source: 'staff' })
  })
})

describe('the staff', () => {
  it('records a basis with reason, author and date, channel by channel, and the log keeps it without addresses', async () => {
    const { id } = await create()
    const { status, body } = await patch(
      id,
      { email: { basis: 'opt_in', reason: ' Firmó en la barra ' } },
      host,
    )
    expect(status).toBe(200)
    const person = await g.sql<{ name: string }>(
      `select coalesce(nullif(btrim(full_name), ''), email) as name from public.profiles where role = 'operaciones'`,
    )
    expect(body.data.consent).toEqual({
      whatsapp: NOTHING,
      sms: NOTHING,
      email: {
        basis: 'opt_in',
        source: 'staff',
        at: expect.stringMatching(/Z$/),
        author: person[0]?.name,
        reason: 'Firmó en la barra',
        opted_out: false,
      },
    })
    await patch(id, { email: { basis: 'none', reason: 'Se lo ha pensado' } })
    expect(await changes()).toEqual([
      {
        field: 'consent.email',
        before: { basis: 'none' },
        after: { basis: 'opt_in', source: 'staff' },
        actor: 'operaciones',
      },
      {
        field: 'consent.email',
        before: { basis: 'opt_in' },
        after: { basis: 'none', source: 'staff' },
        actor: 'admin',
      },
    ])
    const log = JSON.stringify(await g.sql('select * from public.audit_log'))
    expect(log).not.toContain('correo.example')
  })

  it('opts a guest out and in again, each with its reason', async () => {
    const { id } = await create({ ...ANA, consent: { email: { basis: 'opt_in', reason: 'Firmó' } } })
    const out = await patch(id, { email: { opted_out: true, reason: 'Lo pidió por teléfono' } })
    expect(out.body.data.consent).toMatchObject({
      email: { basis: 'opt_in', source: 'staff', reason: 'Lo pidió por teléfono', opted_out: true },
      sms: { opted_out: false },
    })
    expect(await g.sql('select channel, address, reason, note from public.suppressions')).toEqual([
      { channel: 'email', address: ANA.email, reason: 'manual', note: 'Lo pidió por teléfono' },
    ])
    const back = await patch(id, { email: { opted_out: false, reason: 'Ha cambiado de idea' } })
    expect(back.body.data.consent.email).toMatchObject({
      basis: 'opt_in',
      source: 'staff',
      reason: 'Ha cambiado de idea',
      opted_out: false,
    })
    expect(await g.sql('select 1 from public.suppressions')).toEqual([])
    const held = await g.ask(boss, 'GET', `${PATH}/${id}/export`)
    expect(held.body.recorded_consents.email).toMatchObject({ former: { basis: 'opt_in', reason: 'Firmó' } })
    const logged = await changes()
    expect(logged).toHaveLength(4)
    expect(logged).toEqual(
      expect.arrayContaining([
        {
          field: 'consent.email',
          before: { opted_out: false },
          after: { opted_out: true, source: 'manual' },
          actor: 'admin',
        },
        {
          field: 'consent.email',
          before: { opted_out: true, source: 'manual' },
          after: { opted_out: false },
          actor: 'admin',
        },
      ]),
    )
  })

  it('cannot opt out where there is no address, nor opt in one that bounced or complained', async () => {
    const { id } = await create({ email: ANA.email })
    expect(await patch(id, { sms: { opted_out: true, reason: 'x' } })).toEqual(refusal('NO_ADDRESS'))
    await g.sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'email', $2, 'complaint')`,
      [g.group.id, ANA.email],
    )
    expect(await patch(id, { email: { opted_out: false, reason: 'x' } })).toEqual(refusal('ADDRESS_REFUSED'))
    expect((await consentOf(id)).email).toMatchObject({ opted_out: true, source: 'complaint' })
  })

  it.each([
    ['no reason', { email: { basis: 'opt_in' } }],
    ['a blank reason', { email: { opted_out: true, reason: '  ' } }],
    ['a reason too long', { email: { opted_out: true, reason: 'x'.repeat(501) } }],
    ['neither basis nor opt-out', { email: { reason: 'x' } }],
    ['an unknown basis', { email: { basis: 'maybe', reason: 'x' } }],
    ['an unknown channel', { fax: { basis: 'opt_in', reason: 'x' } }],
    ['no channel', {}],
    ['nothing at all', null],
    ['somebody else’s name', { email: { basis: 'opt_in', reason: 'x', author: 'Eva' } }],
  ])('is refused %s', async (_, consent) => {
    const { id } = await create()
    const { status, body } = await patch(id, consent)
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
    expect(body.issues.map(({ path }: { path: string }) => path)).toContainEqual(
      expect.stringMatching(/^consent/),
    )
    expect(await consentOf(id)).toMatchObject({ email: NOTHING })
  })

  it('changes fields and consent in one go, or neither', async () => {
    const { id } = await create({ email: ANA.email })
    const both = { notes: 'Mesa 4', consent: { sms: { opted_out: true, reason: 'x' } } }
    expect((await g.ask(boss, 'PATCH', `${PATH}/${id}`, both)).status).toBe(400)
    const fixed = { ...both, phone: ANA.phone }
    const { body } = await g.ask(boss, 'PATCH', `${PATH}/${id}`, fixed)
    expect(body.data).toMatchObject({ notes: 'Mesa 4', consent: { sms: { opted_out: true } } })
  })
})

describe('a guest', () => {
  it('who follows the link of a message shows as the one who opted out, with the date', async () => {
    const { id } = await create({
      ...ANA,
      consent: { email: { basis: 'existing_customer', reason: 'Socia' } },
    })
    await g.sql(emptyTables('audit_log'))
    expect((await unsubscribe(ANA.email)).status).toBe(200)
    expect((await consentOf(id)).email).toEqual({
      basis: 'existing_customer',
      source: 'unsubscribe',
      at: expect.stringMatching(/Z$/),
      author: 'Ana Ruiz',
      reason: null,
      opted_out: true,
    })
    expect(await changes()).toEqual([
      {
        field: 'consent.email',
        before: { opted_out: false },
        after: { opted_out: true, source: 'unsubscribe' },
        actor: null,
      },
    ])
  })

  it('keeps their wish when the staff corrects the address; a bounce stays with the old one', async () => {
    const { id } = await create()
    await unsubscribe(ANA.email)
    await g.sql(
      `insert into public.suppressions (organization_id, channel, address, reason) values ($1, 'sms', $2, 'bounce')`,
      [g.group.id, ANA.phone],
    )
    const corrected = { email: 'ana.ruiz@correo.example', phone: '+34612345679' }
    const { body } = await g.ask(boss, 'PATCH', `${PATH}/${id}`, corrected)
    expect(body.data.consent).toMatchObject({
      email: { opted_out: true, source: 'unsubscribe' },
      sms: { opted_out: false },
    })
  })

  it('of whom there are two is one with the stricter opt-out and the better documented basis', async () => {
    const kept = await create()
    const gone = await create({ email: 'ana2@correo.example', phone: '+34699999999' })
    await patch(gone.id, {
      email: { basis: 'opt_in', reason: 'Firmó' },
      sms: { opted_out: true, reason: 'No' },
    })
    await unsubscribe('ana2@correo.example')
    const { body } = await g.ask(boss, 'POST', `${PATH}/${kept.id}/merge`, { duplicate_id: gone.id })
    expect(body.data).toMatchObject({
      email: ANA.email,
      consent: {
        email: { basis: 'opt_in', opted_out: true, source: 'unsubscribe' },
        sms: { basis: 'none', opted_out: true, source: 'staff', reason: 'No' },
        whatsapp: NOTHING,
      },
    })
    expect(await g.sql('select consents from public.customers')).toMatchObject([
      { consents: { email: { basis: 'opt_in', reason: 'Firmó' } } },
    ])
  })

  it('who is erased leaves no record of it but that the address wants no messages', async () => {
    const { id } = await create()
    await patch(id, { email: { opted_out: true, reason: 'Lo dijo su hermana' } })
    await patch(id, { sms: { basis: 'opt_in', reason: 'Firmó' } })
    expect((await g.ask(boss, 'DELETE', `${PATH}/${id}`)).status).toBe(204)
    expect(await g.sql('select address, reason, author, note from public.suppressions')).toEqual([
      { address: ANA.email, reason: 'manual', author: null, note: null },
    ])
    expect(JSON.stringify(await g.sql('select * from public.audit_log'))).not.toContain('hermana')
  })
})

describe('who has it', () => {
  beforeEach(async () => {
    const people = {
      Ana: { email: { basis: 'opt_in', reason: 'x' } },
      Bea: { email: { basis: 'existing_customer', reason: 'x', opted_out: true } },
      Eva: undefined,
    }
    for (const [first_name, consent] of Object.entries(people))
      await create({ first_name, email: `${first_name}@correo.example`, consent })
    await create({ first_name: 'Sin', consent: { email: { basis: 'opt_in', reason: 'x' } } })
  })

  it.each([
    ['email:opt_in', ['Ana', 'Sin']],
    ['email:existing_customer', ['Bea']],
    ['email:none', ['Eva']],
    ['email:opted_out', ['Bea']],
    ['email:reachable', ['Ana']],
    ['sms:none', ['Ana', 'Bea', 'Eva', 'Sin']],
    ['whatsapp:reachable', []],
  ])('is listed by %s', async (filter, names) => {
    expect(await found(filter)).toEqual(names)
  })

  it('is not by another word', async () => {
    for (const wrong of ['email', 'email:maybe', 'fax:none', ':'])
      expect((await g.ask(boss, 'GET', `${PATH}?consent=${wrong}`)).status).toBe(400)
  })

  it('is in the file of the list and in the export of one', async () => {
    const response = await boss.request('GET', `${PATH}/export?language=es&consent=email:opted_out`)
    const [head = [], line = []] = csvRows(await response.text())
    const at = head.indexOf('Consentimiento correo')
    expect(line.slice(at, at + 3)).toEqual(['Baja', 'Sin base', 'Sin base'])
    const { body } = await g.ask(boss, 'GET', `${PATH}/${await idOf('bea@correo.example')}/export`)
    expect(body).toMatchObject({
      customer: { consent: { email: { opted_out: true } } },
      recorded_consents: { email: { basis: 'existing_customer', source: 'staff', reason: 'x' } },
      suppressions: [{ channel: 'email', reason: 'manual', note: 'x', author: expect.any(String) }],
    })
  })
})
