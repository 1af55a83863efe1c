import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, setRules } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Importa', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  boss = await signedIn(await group.person('super_admin'))
})
afterEach(() => app.stack.sql(emptyTables('customers', 'reservations', 'import_runs', 'rate_limits')))
afterAll(() => app?.close())

const PATH = '/api/admin/import-csv'
const upload = async (content: string) => answer(await boss.request('POST', PATH, { body: csvForm(content) }))
const imported = (total: number) => ({ status: 200, body: { total, imported: total, errors: [] } })
const people = () =>
  app.stack.sql<Record<string, unknown>>(
    `select email, phone, first_name, last_name, birth_date::text, company, job_title, address, tags, source
     from public.customers order by email nulls last, phone`,
  )
const known = (values: Record<string, unknown>) => {
  const row = { organization_id: group.id, ...values }
  const names = Object.keys(row)
  return app.stack.sql(
    `insert into public.customers (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(row),
  )
}
const versions = () =>
  app.stack.sql(
    `select id::text, xmin::text, ctid::text from public.customers
     union all select id::text, xmin::text, ctid::text from public.reservations order by 1`,
  )

describe('a known customer', () => {
  const HEADER = 'email;phone;nombre;apellido;cumpleaños;empresa;cargo;dirección;etiquetas;notas'

  it('found by e-mail takes over what the file says; identity, names and notes only fill blanks', async () => {
    await known({
      email: 'ana@correo.example',
      first_name: 'Ana',
      company: 'Vieja',
      notes: 'Celíaca',
      tags: ['vip'],
    })
    const row = 'ANA@correo.example;612345678;Anabel;Ruiz;01/02/1990;Nueva;Jefa;Mayor 1;vino,vip;Otra'
    expect(await upload(`${HEADER}\n${row}`)).toEqual(imported(1))
    expect(await people()).toMatchObject([
      {
        phone: '+34612345678',
        first_name: 'Ana',
        last_name: 'Ruiz',
        birth_date: '1990-02-01',
        company: 'Nueva',
        job_title: 'Jefa',
        address: 'Mayor 1',
        tags: ['vip', 'vino'],
        source: null,
      },
    ])
    expect(await app.stack.sql('select notes from public.customers')).toEqual([{ notes: 'Celíaca' }])
  })

  it('keeps what the file leaves empty, and a phone that is another one', async () => {
    await known({
      email: 'ana@correo.example',
      phone: '+34698765432',
      company: 'Vieja',
      birth_date: '1990-02-01',
    })
    expect(await upload(`${HEADER}\nana@correo.example;612345678;;;;;;;;`)).toEqual(imported(1))
    expect(await people()).toMatchObject([
      { phone: '+34698765432', company: 'Vieja', birth_date: '1990-02-01' },
    ])
  })

  it('found by phone keeps its e-mail and another person’s name, and takes the rest', async () => {
    await known({ email: 'ana@correo.example', phone: '+34612345678', first_name: 'Ana', last_name: 'Ruiz' })
    expect(await upload(`${HEADER}\n;612345678;Leo;Gil;;Nueva;;;;`)).toEqual(imported(1))
    expect(await people()).toMatchObject([
      { email: 'ana@correo.example', first_name: 'Ana', last_name: 'Ruiz', company: 'Nueva' },
    ])
  })

  it('is, among several with the phone, the one of that name, else the oldest record', async () => {
    const phone = '+34612345678'
    await known({ email: 'ana@correo.example', phone, first_name: 'Ana', created_at: '2026-01-01' })
    await known({ email: 'leo@correo.example', phone, first_name: 'Leo', created_at: '2026-01-02' })
    expect(await upload(`${HEADER}\n;612345678;LEO;;;Uno;;;;\n;612345678;Eva;;;Dos;;;;`)).toEqual(imported(2))
    expect(await people()).toMatchObject([{ company: 'Dos' }, { company: 'Uno' }])
  })

  it('without an e-mail gets the one that the file has for their phone, unless the names differ', async () => {
    await known({ phone: '+34612345678', first_name: 'Ana' })
    await known({ phone: '+34698765432', first_name: 'Eva' })
    const rows = ['ana@correo.example;612345678;ana;;;;;;;', 'leo@correo.example;698765432;Leo;;;;;;;']
    expect(await upload([HEADER, ...rows].join('\n'))).toEqual(imported(2))
    expect(await people()).toMatchObject([
      { email: 'ana@correo.example', phone: '+34612345678', source: null },
      { email: 'leo@correo.example', phone: '+34698765432', source: 'Bulk Import' },
      { email: null, phone: '+34698765432', first_name: 'Eva' },
    ])
  })

  it('with the phone and name of a row keeps its own e-mail, gets the new one as an alias, and is found by it from then on', async () => {
    const ana = { phone: '+34612345678', first_name: 'Ana', last_name: 'García López' }
    await known({ ...ana, email: 'ana@correo.example' })
    const rows = [
      'ana@trabajo.example;612345678;García López;Ana;;Uno;;;;',
      'leo@correo.example;612345678;Leo;García;;Dos;;;;',
    ]
    expect(await upload([HEADER, ...rows].join('\n'))).toEqual(imported(2))
    expect(await upload(`${HEADER}\nana@trabajo.example;;Otra;;;Tres;;;;`)).toEqual(imported(1))
    expect(await people()).toMatchObject([
      { ...ana, email: 'ana@correo.example', company: 'Tres', source: null },
      { email: 'leo@correo.example', company: 'Dos', source: 'Bulk Import' },
    ])
    const before = await versions()
    expect(await upload(`${HEADER}\nana@trabajo.example;;Otra;;;Tres;;;;`)).toEqual(imported(1))
    expect(await versions()).toEqual(before)
  })

  it('is found by a former phone', async () => {
    await known({ email: 'ana@correo.example', first_name: 'Ana', phone: '+34612345678' })
    await app.stack.sql(
      `insert into public.customer_aliases (organization_id, customer_id, phone)
       select organization_id, id, '+34698765432' from public.customers`,
    )
    const rows = [';698765432;;;;Uno;;;;', 'ana@trabajo.example;698765432;ANA;;;Dos;;;;']
    expect(await upload([HEADER, ...rows].join('\n'))).toEqual(imported(2))
    expect(await people()).toMatchObject([{ email: 'ana@correo.example', company: 'Dos' }])
  })

  it('of another organization is left alone', async () => {
    await known({
      organization_id: other.id,
      email: 'ana@correo.example',
      phone: '+34612345678',
      company: 'Suya',
    })
    expect(await upload(`${HEADER}\nana@correo.example;612345678;;;;Nueva;;;;`)).toEqual(imported(1))
    const rows = await app.stack.sql('select organization_id::text as o, company from public.customers')
    expect(rows).toContainEqual({ o: other.id, company: 'Suya' })
    expect(rows).toContainEqual({ o: group.id, company: 'Nueva' })
  })
})

describe('a new customer', () => {
  it('has the tier of someone who has not come yet, by the rules of the location of the file', async () => {
    const [norte, sur] = group.locations.map(({ id }) => id)
    const always = { min_spend: 0, min_visits: 0 }
    const visitors = { min_spend: 0, min_visits: 1 }
    await setRules(app.stack, norte ?? '', { Bronce: always, Plata: always, Oro: visitors })
    await setRules(app.stack, sur ?? '', { Bronce: visitors, Oro: always })
    const upload = (file: string, location?: string) =>
      boss.request('POST', PATH, {
        body: csvForm(`email\n${file}@correo.example`, location ? { location_id: location } : {}),
      })
    await upload('norte', norte)
    await upload('sur', sur)
    await upload('nadie')
    // Known by now, at Norte: the link to Sur raises nothing.
    await upload('norte', sur)
    const tiers = await app.stack.sql(
      `select split_part(c.email, '@', 1) as guest, t.name as tier, l.name as location from public.customers c
       left join public.loyalty_tiers t on t.id = c.loyalty_tier_id left join public.locations l on l.id = c.location_id
       order by 1`,
    )
    expect(tiers).toEqual([
      { guest: 'nadie', tier: null, location: null },
      { guest: 'norte', tier: 'Plata', location: 'Norte' },
      { guest: 'sur', tier: 'Oro', location: 'Sur' },
    ])
    await app.stack.sql('delete from public.loyalty_rules')
  })
})

describe('one person in several rows', () => {
  it('is one customer, and the last value that is not empty wins', async () => {
    const csv = [
      'email;phone;nombre;apellido;empresa;etiquetas',
      'ana@correo.example;;Ana;;Uno;a',
      ';612345678;;Gil;Tres;',
      'ANA@correo.example;612345678;;Ruiz;Dos;b,a',
      ';612345678;Leo;;;c',
      'ana@correo.example;;;;;',
    ]
    expect(await upload(csv.join('\n'))).toEqual(imported(5))
    expect(await people()).toMatchObject([
      {
        email: 'ana@correo.example',
        phone: '+34612345678',
        first_name: 'Ana',
        last_name: 'Ruiz',
        company: 'Dos',
        tags: ['a', 'b', 'c'],
      },
    ])
  })

  it('under two e-mails is one customer when phone and name are the same, and two when the names differ', async () => {
    const csv = [
      'email;phone;nombre;apellido',
      'ana@correo.example;612345678;Ana;Ruiz',
      'ana@trabajo.example;612345678;RUIZ;Ana',
      'leo@correo.example;612345678;Leo;Ruiz',
    ]
    expect(await upload(csv.join('\n'))).toEqual(imported(3))
    expect((await people()).map(({ email, first_name }) => [email, first_name])).toEqual([
      ['ana@correo.example', 'Ana'],
      ['leo@correo.example', 'Leo'],
    ])
    expect(await app.stack.sql('select email from public.customer_aliases')).toEqual([
      { email: 'ana@trabajo.example' },
    ])
  })
})
