import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ROLES } from '@/lib/permissions'
import { createGroup, type Group } from '../factories/group'
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
const norte = () => ({ location_id: String(group.locations.find(({ name }) => name === 'Norte')?.id) })
const upload = async (content: string, fields: Record<string, string> = {}, client = boss) =>
  answer(await client.request('POST', PATH, { body: csvForm(content, fields) }))
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

describe('POST /api/admin/import-csv with a form', () => {
  it('imports what the contract names, in Spanish', async () => {
    const csv = [
      'email;phone;código país;nombre;apellido;cumpleaños;empresa;cargo;dirección;etiquetas',
      ' Ana@Correo.example ;612 345 678;+34;Ana;Ruiz Gil;05/09/1990;Olmo SL;Jefa;"Calle Mayor 1; 2º";"vip, vino,vip"',
      ';7911123456;44;Tom;;1985-12-31;;;;',
    ]
    expect(await upload(csv.join('\n'))).toEqual(imported(2))
    expect(await people()).toEqual([
      {
        email: 'ana@correo.example',
        phone: '+34612345678',
        first_name: 'Ana',
        last_name: 'Ruiz Gil',
        birth_date: '1990-09-05',
        company: 'Olmo SL',
        job_title: 'Jefa',
        address: 'Calle Mayor 1; 2º',
        tags: ['vip', 'vino'],
        source: 'Bulk Import',
      },
      expect.objectContaining({
        email: null,
        phone: '+447911123456',
        first_name: 'Tom',
        birth_date: '1985-12-31',
        tags: [],
      }),
    ])
  })

  it.each([
    [
      'commas, English, another order',
      'Last Name,E-mail,FIRST_NAME,Birthday\nRuiz,ana@correo.example,Ana,1/2/1990',
    ],
    [
      'tabs and a byte order mark',
      '\ufeffapellidos\temail\tnombre\tBirth Date\nRuiz\tana@correo.example\tAna\t01/02/1990',
    ],
    [
      'unknown columns, blank lines and quotes',
      '\n"id";"email";"Nombre";"Apellido(s)";"fecha de nacimiento"\r\n;;;;\r\n\r\n7;"ana@correo.example";Ana;"Ruiz";1-2-1990\r\n ; ;\r\n',
    ],
  ])('finds the columns of %s', async (_, csv) => {
    expect(await upload(csv)).toEqual(imported(1))
    expect(await people()).toMatchObject([
      { email: 'ana@correo.example', first_name: 'Ana', last_name: 'Ruiz', birth_date: '1990-02-01' },
    ])
  })

  it.each([
    ['612345678', '', '+34612345678'],
    ['612 34 56 78', '34', '+34612345678'],
    ['612345678', '0034', '+34612345678'],
    ['612345678', 'es', '+34612345678'],
    ['+44 7911 123456', '34', '+447911123456'],
    ['0033612345678', '', '+33612345678'],
    ["'+33612345678", '', '+33612345678'],
  ])('reads the phone %s with country code "%s" as %s', async (phone, code, expected) => {
    expect(await upload(`teléfono;código país\n${phone};${code}`)).toEqual(imported(1))
    expect(await people()).toMatchObject([{ phone: expected }])
  })

  it('keeps people with a bad value, without it, and reports every one by number and without the data', async () => {
    const csv = [
      'email;phone;país;código país;cumpleaños;nombre;etiquetas',
      'ana@correo.example;;;;;Ana;',
      'sin-arroba;;;;;;',
      ';;;;;Nadie;',
      'luis@correo.example;12;;;;;',
      'luis@correo.example;;;;31/02/1990;;',
      'luis@correo.example;;;;01/01/2999;;',
      'luis@correo.example;;;;1/1/1850;;',
      'luis@correo.example;612345678;;x9;;;',
      `luis@correo.example;;;;;${'a'.repeat(121)};`,
      `luis@correo.example;;;;;;${'a'.repeat(61)}`,
      'luis@correo.example;;;;;Luis;;demasiado',
      'luis;12;;;ayer;;',
      'mal;655111222;;;ayer;Eva;',
      'luis@correo.example;;;;;Luis;vip',
    ]
    expect(await upload(csv.join('\n'))).toEqual({
      status: 200,
      body: {
        total: 14,
        imported: 10,
        errors: [
          'Row 2: the email is not valid',
          'Row 3: it has neither an email nor a phone',
          'Row 4: the phone is not valid; imported without it',
          'Row 5: the birth date is not valid; imported without it',
          'Row 6: the birth date is not valid; imported without it',
          'Row 7: the birth date is not valid; imported without it',
          'Row 8: the country code is not valid; imported without it',
          'Row 9: the first name is longer than 120 characters; imported without it',
          'Row 10: it has more than 50 tags or one longer than 60 characters; imported without it',
          'Row 11: it has more cells than the header',
          'Row 12: the email is not valid; the phone is not valid; the birth date is not valid',
          'Row 13: the email is not valid; the birth date is not valid; imported without them',
        ],
      },
    })
    expect(await people()).toMatchObject([
      { email: 'ana@correo.example', first_name: 'Ana' },
      { email: 'luis@correo.example', phone: null, birth_date: null, first_name: 'Luis', tags: ['vip'] },
      { email: null, phone: '+34655111222', first_name: 'Eva', birth_date: null },
    ])
  })

  it('reads languages in many words, and leaves out what is none, with a line', async () => {
    const csv = [
      'email;idioma;ciudad',
      'a@correo.example;Inglés;Getafe',
      'b@correo.example;fr_FR;',
      'c@correo.example;klingon;Móstoles',
      'd@correo.example;;',
      `e@correo.example;euskera;${'x'.repeat(121)}`,
    ]
    const left = 'imported without it'
    expect((await upload(csv.join('\n'))).body).toEqual({
      total: 5,
      imported: 5,
      errors: [
        `Row 3: the language is not one that we know; ${left}`,
        `Row 5: the city is longer than 120 characters; ${left}`,
      ],
    })
    expect(await app.stack.sql('select language, city from public.customers order by email')).toEqual([
      { language: 'en', city: 'Getafe' },
      { language: 'fr', city: null },
      { language: null, city: 'Móstoles' },
      { language: null, city: null },
      { language: 'eu', city: null },
    ])
    // What cannot be read changes nothing of a known guest.
    await upload('email;idioma;ciudad\nb@correo.example;klingon;')
    expect(
      await app.stack.sql(`select language from public.customers where email = 'b@correo.example'`),
    ).toEqual([{ language: 'fr' }])
  })

  it('splits tags at commas and semicolons', async () => {
    await upload('email;etiquetas\nana@correo.example;"vip; vino,terraza ;vip"')
    expect(await people()).toMatchObject([{ tags: ['vip', 'vino', 'terraza'] }])
  })
})

describe('the link to a location', () => {
  const csv = 'email;nombre\nana@correo.example;Ana\nluis@correo.example;Luis'

  it('is a reservation that no statistics count; customers without a usual location get this one', async () => {
    const sur = String(group.locations.find(({ name }) => name === 'Sur')?.id)
    await known({ email: 'ana@correo.example' })
    await known({ email: 'luis@correo.example', location_id: sur })
    expect(await upload(`${csv}\neva@correo.example;Eva`, norte())).toEqual(imported(3))
    const rows = await app.stack.sql(
      `select c.email, l.name as home, r.source, r.status, r.location_id::text as location_id, c.total_visits as visits,
         r.external_id = 'import:' || r.location_id || ':' || c.id as external
       from public.customers c left join public.reservations r on r.customer_id = c.id
       left join public.locations l on l.id = c.location_id order by 1`,
    )
    const link = { source: 'import', status: 'completed', visits: 0, external: true, ...norte() }
    expect(rows).toEqual([
      { ...link, email: 'ana@correo.example', home: 'Norte' },
      { ...link, email: 'eva@correo.example', home: 'Norte' },
      { ...link, email: 'luis@correo.example', home: 'Sur' },
    ])
  })

  it('is not made without a location', async () => {
    expect(await upload(csv)).toEqual(imported(2))
    expect(await app.stack.sql('select 1 from public.reservations')).toEqual([])
  })

  it('may come before the file in the form, and in upper case', async () => {
    const form = new FormData()
    form.append('location_id', norte().location_id.toUpperCase())
    form.append('file', new File([csv], 'clientes.csv'))
    expect(await answer(await boss.request('POST', PATH, { body: form }))).toEqual(imported(2))
    expect(await app.stack.sql('select 1 as one from public.reservations')).toHaveLength(2)
  })

  it.each([
    ['no id', () => 'norte'],
    ['unknown', () => crypto.randomUUID()],
    ['of another organization', () => String(other.locations[0]?.id)],
  ])('to a location that is %s is refused, and nothing is written', async (_, id) => {
    const refused = await upload(csv, { location_id: id() })
    expect(refused).toEqual({ status: 400, body: { error: 'Unknown location' } })
    expect(await people()).toEqual([])
    expect(await app.stack.sql('select 1 from public.import_runs')).toEqual([])
  })
})

describe('the same file again', () => {
  it('writes no new version of any customer or reservation', async () => {
    const phone = '+34612345678'
    await known({ email: 'vieja@correo.example', phone, first_name: 'Vieja', created_at: '2026-01-01' })
    await known({ email: 'blanca@correo.example' })
    await known({ phone: '+34698765432' })
    // 2,400 rows make three chunks; the last and the first are about the same people by phone alone.
    const filler = Array.from(
      { length: 2400 },
      (_, n) => `relleno${n}@correo.example;;R ${n};;Firma ${n};t${n}`,
    )
    const csv = [
      'email;phone;nombre;apellido;empresa;etiquetas',
      'vieja@correo.example;655555555;Vieja;;Uno;a',
      ';698765432;;;Uno;',
      'blanca@correo.example;677777777;Blanca;;Uno;',
      ';677777777;Blanca;;Dos;x',
      ';688888888;Ana;;Uno;',
      ...filler,
      ';612345678;;;Dos;b',
      'nueva@correo.example;698765432;Nueva;;Dos;',
      ';677777777;Otra;;Tres;y',
      ';688888888;Leo;Gil;Dos;',
      'blanca@correo.example;655555556;;Gil;;',
    ]
    expect(await upload(csv.join('\n'), norte())).toEqual(imported(2410))
    const before = await versions()
    expect(before.length).toBeGreaterThan(4800)
    const state = await people()
    expect(await upload(csv.join('\n'), norte())).toEqual(imported(2410))
    expect(await versions()).toEqual(before)
    expect(state.find(({ email }) => email === 'vieja@correo.example')).toMatchObject({ company: 'Dos' })
    const runs = await app.stack.sql('select created, updated from public.import_runs order by started_at')
    expect(runs).toEqual([
      { created: 2402, updated: 3 },
      { created: 0, updated: 0 },
    ])
  })
})

describe('who may', () => {
  it('send a file: super_admin alone', async () => {
    expect((await app.client().request('POST', PATH, { body: csvForm('email\na@b.example') })).status).toBe(
      401,
    )
    for (const role of ROLES.filter((one) => one !== 'super_admin')) {
      const client = await signedIn(await group.person(role))
      expect(await upload('email\nana@correo.example', {}, client), role).toEqual({
        status: 403,
        body: { error: 'Forbidden' },
      })
      await app.stack.sql(emptyTables('rate_limits'))
    }
    expect(await people()).toEqual([])
  })

  it('link to a location: only those who work there', async () => {
    const sur = String(group.locations.find(({ name }) => name === 'Sur')?.id)
    const bound = await signedIn(await group.person('super_admin', [sur]))
    expect((await upload('email\nana@correo.example', norte(), bound)).status).toBe(400)
    expect(await upload('email\nana@correo.example', { location_id: sur }, bound)).toEqual(imported(1))
  })

  it('not from another site, and not more than ten times a minute', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const foreign = await boss.request('POST', PATH, { body: csvForm('email\na@b.example'), headers })
    expect(await answer(foreign)).toEqual({ status: 403, body: { error: 'Forbidden' } })
    for (let request = 0; request < 10; request++)
      expect((await upload('email\na@b.example')).status).toBe(200)
    const refused = await boss.request('POST', PATH, { body: csvForm('email\na@b.example') })
    expect(await answer(refused)).toEqual({ status: 429, body: { error: 'Rate limit exceeded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await boss.request('POST', PATH)).status).toBe(429)
  })
})
