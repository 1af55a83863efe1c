import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { csvForm, manyCustomers } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Entradas', [{ name: 'Norte', slug: 'norte' }])
  boss = await signedIn(await group.person('super_admin'))
})
afterEach(() => app.stack.sql(emptyTables('customers', 'reservations', 'import_runs', 'rate_limits')))
afterAll(() => app?.close())

const PATH = '/api/admin/import-csv'
const upload = async (content: string | Uint8Array) =>
  answer(await boss.request('POST', PATH, { body: csvForm(content) }))
const send = async (body: unknown, headers: Record<string, string> = {}) =>
  answer(await boss.request('POST', PATH, { body, headers }))
const nameOf = async (email: string) =>
  (
    await app.stack.sql<{ name: string }>(
      'select first_name as name from public.customers where email = $1',
      [email],
    )
  )[0]?.name
const written = () =>
  app.stack.sql('select email from public.customers union all select file_name from public.import_runs')
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )

const NO_HEADER = 'No known header: the first row must name an email or a phone column'
const MALFORMED = 'Malformed multipart form'
const BOUNDARY = { 'content-type': 'multipart/form-data; boundary=mesa' }
const part = (name: string, content: string) =>
  `--mesa\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`

describe('a form', () => {
  it.each<[string, unknown, Record<string, string>, string]>([
    ['without a file', new FormData(), {}, 'No file provided'],
    ['that is empty', '', BOUNDARY, MALFORMED],
    ['with text for a file', formOf(['file', 'email\nana@correo.example']), {}, 'No file provided'],
    ['with the file in another field', formOf(['datos', csvFile()]), {}, 'No file provided'],
    ['as a browser sends it with no file chosen', formOf(['file', new File([], '')]), {}, 'No file provided'],
    ['with two files', formOf(['file', csvFile()], ['file', csvFile()]), {}, 'Only one file at a time'],
    ['without a boundary', 'x', { 'content-type': 'multipart/form-data' }, MALFORMED],
    ['that is no multipart', 'email\nana@correo.example', BOUNDARY, MALFORMED],
    ['cut off in the file', part('file', 'email\nana@correo.example'), BOUNDARY, MALFORMED],
    ['cut off in a header', '--mesa\r\nContent-Dispo', BOUNDARY, MALFORMED],
    ['with a header that is none', '--mesa\r\n\u0000\u0001: :\r\n\r\nx\r\n--mesa--', BOUNDARY, MALFORMED],
  ])('%s is refused', async (_, body, headers, error) => {
    expect(await send(body, headers)).toEqual({ status: 400, body: { error } })
    expect(await written()).toEqual([])
  })

  it('may have other fields, which are not looked at', async () => {
    const form = formOf(['note', 'x'], ['file', csvFile()], ['__proto__', 'y'])
    expect(await send(form)).toMatchObject({ status: 200, body: { imported: 1 } })
  })

  it('above 64 MB is refused, announced or not', async () => {
    const announced = await send('x', { ...BOUNDARY, 'content-length': String(65 * 1024 * 1024) })
    expect(announced).toEqual({ status: 413, body: { error: 'Request body too large' } })
    const line = new TextEncoder().encode(`${'x'.repeat(1024 * 1024 - 1)}\n`)
    let sent = -1
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent++
        const start = '--mesa\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n'
        controller.enqueue(sent === 0 ? new TextEncoder().encode(start) : line)
      },
    })
    expect(await send(endless, BOUNDARY)).toEqual({ status: 413, body: { error: 'Request body too large' } })
    expect(sent).toBeLessThan(70)
    expect(await written()).toEqual([])
  })

  it('of another content type is refused', async () => {
    for (const type of ['text/csv', 'application/octet-stream', 'multipart/mixed; boundary=mesa']) {
      const refused = await send(bytes('email\nana@correo.example'), { 'content-type': type })
      expect(refused).toEqual({ status: 415, body: { error: 'Content-Type must be multipart/form-data' } })
    }
    expect(await written()).toEqual([])
  })
})

describe('a file', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['that is empty', '', 'The file is empty'],
    ['of blank lines', '\r\n ; ;\n\n', 'The file is empty'],
    ['without e-mail or phone column', 'nombre;apellido\nAna;Ruiz', NO_HEADER],
    ['without header', 'ana@correo.example;612345678;Ana', NO_HEADER],
    ['whose header has an open quote', '"email;nombre\nana@correo.example;Ana', NO_HEADER],
    ['of another kind', bytes('PK', [3, 4, 0, 255, 200, 10, 13, 0]), NO_HEADER],
    ['with 201 columns', `email${';x'.repeat(200)}\na@b.example`, NO_HEADER],
    [
      'in UTF-16',
      Buffer.from('\ufeffemail\nana@correo.example', 'utf16le'),
      'The file is in UTF-16: save it as CSV in UTF-8',
    ],
    ['that is one endless line', 'x'.repeat(300_000), NO_HEADER],
  ])('%s is refused, and nothing is written', async (_, content, error) => {
    // An empty File has a name here: it was chosen.
    expect(await upload(content)).toEqual({ status: 400, body: { error } })
    expect(await written()).toEqual([])
  })

  it('with only a header imports nothing', async () => {
    for (const content of ['email,nombre', 'email;nombre\r\n'])
      expect(await upload(content)).toEqual({ status: 200, body: { total: 0, imported: 0, errors: [] } })
    expect(await app.stack.sql('select status, total from public.import_runs')).toEqual([
      { status: 'succeeded', total: 0 },
      { status: 'succeeded', total: 0 },
    ])
  })

  it('in Windows-1252 or UTF-8 is recognised, wherever its first accent is', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `b${n}@correo.example;B`).join('\n')
    await upload(bytes(`email;nombre\n${rows}\nz@correo.example;Nu`, [0xf1], 'ez ', [0x80], '\n'))
    expect(await nameOf('z@correo.example')).toBe('Nuñez €')
    await upload(bytes('correo electr', [0xf3], 'nico;nombre\na@correo.example;', [0xc1], 'lex'))
    expect(await nameOf('a@correo.example')).toBe('Álex')
    await upload(Buffer.from('email;nombre\nu@correo.example;Íñigo Ñandú\n'))
    expect(await nameOf('u@correo.example')).toBe('Íñigo Ñandú')
  })

  it('with NUL and other control characters is read without them', async () => {
    expect(
      await upload('em\u0000ail;nom\u0007bre;notas\n\u0000ana@correo.example\u0000;A\u0000n\u0085a;x\u0000y'),
    ).toEqual({
      status: 200,
      body: { total: 1, imported: 1, errors: [] },
    })
    expect(await app.stack.sql('select email, first_name, notes from public.customers')).toEqual([
      { email: 'ana@correo.example', first_name: 'Ana', notes: 'xy' },
    ])
    const broken = await upload('email;nombre\nmal\u0000o;"abc\u0000')
    expect(broken).toMatchObject({ status: 200, body: { imported: 0 } })
  })

  it('with broken quotes loses those rows alone', async () => {
    const csv = [
      'email;nombre;dirección',
      'a@correo.example;Ana;"Mayor 1',
      'con salto; y ""comillas"""',
      'b@correo.example;"Be"x;Mayor 2',
      'c@correo.example;"Ce;Mayor 3',
      'd@correo.example;De;Mayor 4',
      'e@correo.example;E "Mote" Gil;',
    ]
    expect(await upload(csv.join('\n'))).toEqual({
      status: 200,
      body: {
        total: 5,
        imported: 3,
        errors: [
          'Row 2: a quote is not closed or not doubled',
          'Row 3: a quote is not closed or not doubled',
        ],
      },
    })
    expect(await app.stack.sql('select first_name, address from public.customers order by email')).toEqual([
      { first_name: 'Ana', address: 'Mayor 1\ncon salto; y "comillas"' },
      { first_name: 'De', address: 'Mayor 4' },
      { first_name: 'E "Mote" Gil', address: null },
    ])
  })

  it('with a row of 70 KB loses that row alone, quoted or not', async () => {
    const long = 'x'.repeat(70_000)
    const csv = `email;otra\na@correo.example;${long}\nb@correo.example;"${long}"\nc@correo.example;corta`
    expect(await upload(csv)).toMatchObject({
      body: {
        total: 3,
        imported: 1,
        errors: ['Row 1: it is longer than 64 KB', 'Row 2: it is longer than 64 KB'],
      },
    })
  })

  it('with 5,003 rows: 5,000 are processed, and one error line names the others', async () => {
    const { status, body } = await upload(manyCustomers(5003))
    expect(status).toBe(200)
    expect(body).toEqual({
      total: 5003,
      imported: 5000,
      errors: ['Row 5001: only the first 5,000 rows are processed; 3 more were not'],
    })
    expect(await app.stack.sql('select count(*)::int as n from public.customers')).toEqual([{ n: 5000 }])
    expect(await upload(manyCustomers(5000))).toEqual({
      status: 200,
      body: { total: 5000, imported: 5000, errors: [] },
    })
  }, 60_000)

  it('with odd text: emoji, half an emoji, very old and very new dates, nothing breaks', async () => {
    const csv = [
      'email;nombre;cumpleaños;etiquetas',
      'a@correo.example;Ana 🍷;0000-00-00;',
      'b@correo.example;Bea 🍷;99999-01-01;',
      'c@correo.example;Ce 🍷;1990-02-30;',
      `d@correo.example;De 🍷;;${Array.from({ length: 51 }, (_, n) => `t${n}`).join(',')}`,
      `${'e'.repeat(300)}@correo.example;E;;`,
      'f@correo.example;Efe 🍷;2000-02-29;, ,uno,,dos ,uno',
    ]
    const { status, body } = await upload(
      bytes(Buffer.from(csv.join('\n')).toString('latin1'), '\n', [0xed, 0xa0, 0xbd], 'x;'),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 7, imported: 5 })
    expect(body.errors).toHaveLength(6)
    expect(
      await app.stack.sql(
        'select first_name, birth_date::text as born, tags from public.customers order by email',
      ),
    ).toEqual([
      ...['Ana', 'Bea', 'Ce', 'De'].map((name) => ({ first_name: `${name} 🍷`, born: null, tags: [] })),
      { first_name: 'Efe 🍷', born: '2000-02-29', tags: ['uno', 'dos'] },
    ])
  })
})

function csvFile(): File {
  return new File(['email\nana@correo.example'], 'clientes.csv', { type: 'text/csv' })
}

function formOf(...fields: [string, string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}
