import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { encodeCursor } from '@/lib/http/cursor'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { csvForm, manyCustomers } from '../support/csv-form'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'
import { cancelLargeInserts } from '../support/slow-table'

let app: TestApp
let group: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Historial', [{ name: 'Norte', slug: 'norte' }])
  boss = await signedIn(await group.person('super_admin'))
})
afterEach(() => app.stack.sql(emptyTables('customers', 'reservations', 'import_runs', 'rate_limits')))
afterAll(() => app?.close())

const PATH = '/api/admin/import-csv'
const NDJSON = { accept: 'application/x-ndjson' }
const NOT_FOUND = refusal('NOT_FOUND')
const upload = (content: string) => boss.request('POST', PATH, { body: csvForm(content) })
const get = async (path: string, client = boss) => answer(await client.request('GET', path))
const cancel = async (id: string, client = boss) =>
  answer(await client.request('POST', `/api/imports/${id}/cancel`))
const customers = async () =>
  (await app.stack.sql<{ n: number }>('select count(*)::int as n from public.customers'))[0]?.n

/** A run as the database has it, so many minutes old. */
const arrange = async (values: Record<string, unknown> = {}, minutesAgo = 0) => {
  const row = { organization_id: group.id, file_name: 'vieja.csv', status: 'succeeded', ...values }
  const columns = Object.keys(row)
  const [made] = await app.stack.sql<{ id: string }>(
    `insert into public.import_runs (${columns.join(', ')}, started_at)
     values (${columns.map((_, n) => `$${n + 1}`).join(', ')}, now() - interval '${minutesAgo} minutes') returning id::text`,
    Object.values(row),
  )
  return String(made?.id)
}

/** Starts an import and hands out its events one at a time: it goes no further than it is asked to. */
async function follow(content: string) {
  const response = await boss.request('POST', PATH, { body: csvForm(content), headers: NDJSON })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const next = async () => {
    const { done, value } = await reader.read()
    return done ? null : JSON.parse(new TextDecoder().decode(value))
  }
  return { next, leave: () => reader.cancel() }
}

describe('an import', () => {
  it('leaves a row in the log, with who, what and the errors', async () => {
    await upload('email;nombre\nana@correo.example;Ana\nmal;Leo\nana@correo.example;\n')
    const list = await get('/api/imports')
    expect(list).toMatchObject({ status: 200, body: { next_cursor: null } })
    const [run] = list.body.data
    expect(run).toEqual({
      id: expect.any(String),
      file_name: 'clientes.csv',
      location_id: null,
      profile_id: expect.any(String),
      consent: 'existing_customer',
      status: 'partial',
      total: 3,
      processed: 3,
      imported: 2,
      created: 1,
      updated: 0,
      repeated: 1,
      incomplete: 0,
      error_count: 1,
      failed_row_count: 1,
      started_at: expect.any(String),
      finished_at: expect.any(String),
    })
    const errors = ['Row 2: the email is not valid']
    expect(await get(`/api/imports/${run.id}`)).toEqual({ status: 200, body: { data: { ...run, errors } } })
    expect(await get(`/api/imports/${run.id.toUpperCase()}`)).toMatchObject({ status: 200 })
  })

  it('counts as failed when no row could be imported', async () => {
    await upload('email\nmal\npeor')
    expect((await get('/api/imports')).body.data).toMatchObject([
      { status: 'failed', imported: 0, error_count: 2 },
    ])
  })

  // The embedded database has no limit of time.
  it.runIf(process.env.STACK === 'postgres')(
    'has more customers in a chunk than the database saves in its time, and is saved in parts',
    async () => {
      const fast = await cancelLargeInserts(app.stack, 'customers')
      const total = 2500
      const saved = await answer(await upload(manyCustomers(total)))
      await fast()
      expect(saved).toEqual({ status: 200, body: { total, imported: total, errors: [] } })
      expect(await customers()).toBe(total)
      expect((await get('/api/imports')).body.data).toMatchObject([
        { status: 'succeeded', processed: total, created: total, updated: 0, repeated: 0 },
      ])
    },
  )

  it('is listed in pages, the latest first', async () => {
    const ids: string[] = []
    for (let minute = 1; minute <= 5; minute++) ids.push(await arrange({}, minute))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { data: { id: string }[]; next_cursor: string | null } } = await get(
        `/api/imports?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      )
      expect(body.data).toHaveLength(seen.length < 4 ? 2 : 1)
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(ids)
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=x',
    `cursor=${encodeCursor({ key: 'ayer', id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10' })}`,
    `cursor=${encodeCursor({ key: '0000-01-01T00:00:00Z', id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10' })}`,
  ])('the list refuses %s', async (query) => {
    expect((await get(`/api/imports?${query}`)).status).toBe(400)
  })

  it('whose process died counts as failed from the next look at the log or the next import on', async () => {
    const [dead, alive] = [await arrange({ status: 'running' }, 11), await arrange({ status: 'running' }, 9)]
    expect((await get(`/api/imports/${dead}`)).body.data).toMatchObject({
      status: 'failed',
      finished_at: expect.any(String),
    })
    expect((await get(`/api/imports/${alive}`)).body.data).toMatchObject({
      status: 'running',
      finished_at: null,
    })
    const another = await arrange({ status: 'running' }, 60)
    await upload('email\nana@correo.example')
    const [row] = await app.stack.sql('select status from public.import_runs where id = $1', [another])
    expect(row).toEqual({ status: 'failed' })
  })
})

describe('following an import', () => {
  it('emits an event for the start, each chunk and the end', async () => {
    const events = await follow(`${manyCustomers(2500)}mal;Nadie\r\n`)
    expect(await events.next()).toEqual({ type: 'started', import_id: expect.any(String) })
    expect(await events.next()).toEqual({ type: 'progress', processed: 1001, imported: 1000, errors: 1 })
    expect(await events.next()).toEqual({ type: 'progress', processed: 2001, imported: 2000, errors: 1 })
    expect(await events.next()).toEqual({ type: 'progress', processed: 2501, imported: 2500, errors: 1 })
    const errors = ['Row 2501: the email is not valid']
    expect(await events.next()).toEqual({ type: 'done', total: 2501, imported: 2500, errors })
    expect(await events.next()).toBeNull()
    expect(await customers()).toBe(2500)
  })

  it('cancelled mid-way stops before the next chunk, keeps what is done, and says so', async () => {
    const events = await follow(manyCustomers(2500))
    const { import_id } = await events.next()
    await events.next()
    expect(await cancel(import_id)).toMatchObject({
      status: 200,
      body: { data: { status: 'cancelled', imported: 1000, finished_at: expect.any(String) } },
    })
    const errors = ['Row 1001: the import was cancelled here; 1,500 rows were not imported']
    expect(await events.next()).toEqual({ type: 'done', total: 2500, imported: 1000, errors })
    expect(await customers()).toBe(1000)
    expect((await get(`/api/imports/${import_id}`)).body.data).toMatchObject({
      status: 'cancelled',
      processed: 1000,
      imported: 1000,
      errors,
    })
    expect(await cancel(import_id)).toEqual(refusal('IMPORT_OVER'))
  })

  it('cancelled after its last chunk has imported everything and stays cancelled', async () => {
    const events = await follow(manyCustomers(3))
    const { import_id } = await events.next()
    await events.next()
    expect((await cancel(import_id)).status).toBe(200)
    expect(await events.next()).toEqual({ type: 'done', total: 3, imported: 3, errors: [] })
    expect((await get(`/api/imports/${import_id}`)).body.data).toMatchObject({
      status: 'cancelled',
      imported: 3,
    })
  })

  it('cancelled before the first chunk imports nothing', async () => {
    const events = await follow(manyCustomers(3))
    await cancel((await events.next()).import_id)
    const errors = ['Row 1: the import was cancelled here; 3 rows were not imported']
    expect(await events.next()).toEqual({ type: 'done', total: 3, imported: 0, errors })
    expect(await customers()).toBe(0)
  })

  it('is cancelled when its client disconnects', async () => {
    const events = await follow(manyCustomers(2500))
    const { import_id } = await events.next()
    await events.next()
    await events.leave()
    expect((await get(`/api/imports/${import_id}`)).body.data).toMatchObject({
      status: 'cancelled',
      imported: 1000,
    })
    expect(await customers()).toBe(1000)
  })

  it('is cancelled when a client disconnects that does not follow it', async () => {
    const body = csvForm(manyCustomers(3))
    const gone = await boss.request('POST', PATH, {
      body,
      signal: AbortSignal.abort(),
    })
    expect(await answer(gone)).toMatchObject({ status: 200, body: { total: 3, imported: 0 } })
    expect(await customers()).toBe(0)
  })

  it('refuses what cannot be imported before it starts', async () => {
    const refused = await boss.request('POST', PATH, { body: csvForm(''), headers: NDJSON })
    expect(await answer(refused)).toEqual({ status: 400, body: { error: 'The file is empty' } })
  })

  it('ends with a line that says failed when it fails in the middle; without following, with a 500', async () => {
    await app.stack.sql('alter function public.import_customers(uuid, jsonb) rename to import_customers_gone')
    try {
      const events = await follow(manyCustomers(3))
      const { import_id } = await events.next()
      expect(await events.next()).toEqual({ type: 'failed', error: expect.any(String) })
      expect(await events.next()).toBeNull()
      expect((await get(`/api/imports/${import_id}`)).body.data).toMatchObject({
        status: 'failed',
        imported: 0,
      })
      expect(await answer(await upload(manyCustomers(3)))).toEqual({
        status: 500,
        body: { error: expect.any(String) },
      })
    } finally {
      await app.stack.sql(
        'alter function public.import_customers_gone(uuid, jsonb) rename to import_customers',
      )
    }
  })
})

describe('the rows with a problem', () => {
  const download = async (query = '') => {
    const [run] = (await get('/api/imports')).body.data
    const response = await boss.request('GET', `/api/imports/${run.id}/failed-rows${query}`)
    expect(response.status).toBe(200)
    return {
      response,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer()),
    }
  }

  it('come as they were, with the reason, and nothing that a spreadsheet would run', async () => {
    const rows = [
      'mal;+34612345678;=HYPERLINK("http://mal.example");"-2+3";@x;"dos;\ntres ""q"""',
      'peor;612345678;+1+1;\t=1;"\r=1";Ñandú',
      'ana@correo.example;612345679;Ana;;;',
      '"abierta;1;2',
    ]
    await upload(['email;phone;nombre;=cargo;otra;notas', ...rows].join('\n'))
    const { response, text } = await download()
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="failed-rows-[\w-]+\.csv"$/,
    )
    expect(text).toBe(
      [
        `\ufeff"email";"phone";"nombre";"'=cargo";"otra";"notas";"motivo"`,
        `"mal";+34612345678;"'=HYPERLINK(""http://mal.example"")";"'-2+3";"'@x";"dos;\ntres ""q""";"el correo no es válido; importada sin ese dato"`,
        `"peor";612345678;"'+1+1";"'\t=1";"'\r=1";"Ñandú";"el correo no es válido; importada sin ese dato"`,
        '"""abierta;1;2";;;;;;"unas comillas no se cierran o no están duplicadas"',
        '',
      ].join('\r\n'),
    )
  })

  it('give the reason in the reader’s language, with the separator of its spreadsheets', async () => {
    await upload(
      'email;phone;nombre;cumpleaños\nmal;12;"Ruiz, Ana"\n;612345678;Leo\n;x;y;;z\nmal;698765432;Eva;ayer',
    )
    expect((await download('?language=es')).text).toContain(
      '"mal";12;"Ruiz, Ana";;"el correo no es válido; el teléfono',
    )
    const english = [
      '\ufeff"email","phone","nombre","cumpleaños","reason"',
      '"mal",12,"Ruiz, Ana",,"the e-mail is not valid; the phone is not valid"',
      ',"x","y",,"it has more cells than the header; the phone is not valid"',
      '"mal",698765432,"Eva","ayer","the e-mail is not valid; the date of birth is not valid; imported without them"',
      '',
    ]
    expect((await download('?language=en')).text).toBe(english.join('\r\n'))
    const [run] = (await get('/api/imports')).body.data
    expect((await get(`/api/imports/${run.id}/failed-rows?language=fr`)).status).toBe(400)
  })

  it('can be corrected and imported again, formulas as the text they were', async () => {
    await upload('email;phone;nombre\nmal;+34612345678;=Ana\n')
    const { text } = await download()
    expect(await answer(await upload(text.replace('"mal";', 'ana@correo.example;')))).toMatchObject({
      body: { total: 1, imported: 1, errors: [] },
    })
    expect(await app.stack.sql('select phone, first_name from public.customers')).toEqual([
      { phone: '+34612345678', first_name: '=Ana' },
    ])
  })

  it('are not found when none failed', async () => {
    const clean = await arrange()
    expect(await get(`/api/imports/${clean}/failed-rows`)).toEqual(NOT_FOUND)
  })
})
