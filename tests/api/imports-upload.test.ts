import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { csvForm } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let admin: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Subidas', [{ name: 'Norte', slug: 'norte' }])
  other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  admin = await signedIn(await group.person('admin'))
})
afterEach(() => app.stack.sql(emptyTables('customers', 'reservations', 'import_runs', 'rate_limits')))
afterAll(() => app?.close())

const PATH = '/api/imports'
const send = async (form: FormData, client = admin) =>
  answer(await client.request('POST', PATH, { body: form }))
const upload = (content: string, fields: Record<string, string> = {}) => send(csvForm(content, fields))
/** A form whose fields come before the file. */
const mapped = (content: string, columns: unknown) => {
  const form = new FormData()
  form.append('columns', typeof columns === 'string' ? columns : JSON.stringify(columns))
  for (const [name, value] of csvForm(content)) form.append(name, value)
  return form
}
const people = () =>
  app.stack.sql(
    `select email, phone, first_name, last_name, tags from public.customers order by email nulls last, phone`,
  )

describe('POST /api/imports', () => {
  it('answers the import that was made, as it can be read afterwards', async () => {
    const csv = [
      'email;phone;nombre;cumpleaños',
      'ana@correo.example;612345678;Ana;',
      'ANA@correo.example;;;05/09/1990',
      'leo@correo.example;;Leo;31/02/1990',
      'eva@correo.example;12;Eva;',
      'mal;;Nadie;',
      ';;Nadie;',
    ]
    const location_id = String(group.locations[0]?.id)
    const { status, body } = await upload(csv.join('\n'), { location_id, consent: 'opt_in' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.any(String),
        file_name: 'clientes.csv',
        location_id,
        profile_id: expect.any(String),
        consent: 'opt_in',
        status: 'partial',
        total: 6,
        processed: 6,
        imported: 4,
        created: 3,
        updated: 0,
        repeated: 1,
        incomplete: 2,
        error_count: 4,
        failed_row_count: 4,
        started_at: expect.any(String),
        finished_at: expect.any(String),
        errors: [
          'Row 3: the birth date is not valid; imported without it',
          'Row 4: the phone is not valid; imported without it',
          'Row 5: the email is not valid',
          'Row 6: it has neither an email nor a phone',
        ],
      },
    })
    expect(await answer(await admin.request('GET', `${PATH}/${body.data.id}`))).toEqual({ status: 200, body })
    expect((await people()).map(({ email }) => email)).toEqual([
      'ana@correo.example',
      'eva@correo.example',
      'leo@correo.example',
    ])
  })

  it('counts known customers, and counts a person with two e-mails once', async () => {
    const csv = [
      'email;phone;nombre',
      'ana@correo.example;612345678;Ana Ruiz',
      'ana@trabajo.example;612345678;Ruiz Ana',
      'leo@correo.example;;Leo',
    ]
    const counts = async () => {
      const { data } = (await upload(csv.join('\n'))).body
      return [data.imported, data.created, data.updated, data.repeated]
    }
    expect(await counts()).toEqual([3, 2, 0, 1])
    expect(await counts()).toEqual([3, 0, 0, 1])
  })

  it('follows the import line by line when asked', async () => {
    const headers = { accept: 'application/x-ndjson' }
    const response = await admin.request('POST', PATH, {
      body: csvForm('email\nana@correo.example'),
      headers,
    })
    expect(response.status).toBe(201)
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['started', 'progress', 'done'])
  })

  it.each([
    ['opt_in', 'opt_in'],
    ['none', 'none'],
    ['existing_customer', 'existing_customer'],
    ['', 'existing_customer'],
  ])('keeps the consent "%s" as %s', async (consent, kept) => {
    expect((await upload('email\nana@correo.example', { consent })).body.data.consent).toBe(kept)
  })

  it('records existing_customer when no consent is declared, also for POST /api/admin/import-csv', async () => {
    await upload('email\nana@correo.example')
    const boss = await signedIn(await group.person('super_admin'))
    const body = csvForm('email\nana@correo.example')
    expect((await boss.request('POST', '/api/admin/import-csv', { body })).status).toBe(200)
    expect(await app.stack.sql('select consent from public.import_runs')).toEqual(
      Array(2).fill({ consent: 'existing_customer' }),
    )
  })

  it('refuses what it cannot import, and writes nothing', async () => {
    const csv = 'email\nana@correo.example'
    const refusals: [FormData, object][] = [
      [csvForm(csv, { consent: 'yes' }), invalid('consent')],
      [csvForm(csv, { location_id: String(other.locations[0]?.id) }), invalid('location_id')],
      [new FormData(), refusal('NO_FILE')],
      [csvForm('nombre\nAna'), refusal('NO_KNOWN_HEADER')],
    ]
    for (const [form, refused] of refusals) expect(await send(form)).toEqual(refused)
    const json = await answer(await admin.request('POST', PATH, { body: { file: csv } }))
    expect(json).toEqual(refusal('UNSUPPORTED_CONTENT_TYPE'))
    expect(await app.stack.sql('select 1 from public.import_runs')).toEqual([])
  })

  const form = () => csvForm('email\nana@correo.example')

  it('is accepted ten times a minute, counted together with POST /api/admin/import-csv', async () => {
    for (let request = 0; request < 9; request++) expect((await send(form())).status).toBe(201)
    expect((await admin.request('POST', '/api/admin/import-csv')).status).toBe(200)
    expect(await send(form())).toEqual(refusal('RATE_LIMITED'))
  })
})

describe('columns named by hand', () => {
  const CSV =
    'Correu;Mòbil;Nom complet;email;Colla\nana@correo.example;612345678;Ana;otra@correo.example;vip;x\n'
  const rows = CSV.replace(';x\n', '\n')

  it('are read as chosen, even against what their name says', async () => {
    const columns = {
      Correu: 'email',
      ' Mòbil ': 'phone',
      'Nom complet': 'first_name',
      Colla: 'tags',
      email: null,
    }
    expect(await send(mapped(rows, columns))).toMatchObject({ status: 201, body: { data: { imported: 1 } } })
    expect(await people()).toEqual([
      {
        email: 'ana@correo.example',
        phone: '+34612345678',
        first_name: 'Ana',
        last_name: null,
        tags: ['vip'],
      },
    ])
  })

  it('may be some, none or all columns of the file', async () => {
    expect(await send(mapped(rows, {}))).toMatchObject({ status: 201 })
    expect(await send(mapped(rows, ''))).toMatchObject({ status: 201 })
    expect((await people()).map(({ email }) => email)).toEqual(['otra@correo.example'])
    expect(await send(mapped(rows, { email: null }))).toEqual(refusal('NO_KNOWN_HEADER'))
  })

  it.each([
    ['a field that there is not', { Correu: 'spend' }],
    ['no object', '["email"]'],
    ['no JSON', '{'],
    ['a column that the file has not', { Correo: 'phone' }],
  ])('are refused with %s', async (_, columns) => {
    expect(await send(mapped(rows, columns))).toEqual(invalid('columns'))
    expect(await app.stack.sql('select 1 from public.import_runs')).toEqual([])
  })

  it('must come before the file', async () => {
    const late = await upload(rows, { columns: JSON.stringify({ Correu: 'email' }) })
    expect(late).toEqual(invalid('columns'))
  })
})
