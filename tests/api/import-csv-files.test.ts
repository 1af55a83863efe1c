import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let admin: Client
const directory = mkdtempSync(join(tmpdir(), 'sobremesa-import-'))

const PATH = '/api/admin/import-csv'
const CHAMBERI = { file: 'casa-lumbre-chamberi.csv', location: 'Casa Lumbre Chamberí' }
const TRIANA = { file: 'casa-lumbre-triana.csv', location: 'Casa Lumbre Triana' }
const CABANYAL = { file: 'marisma-cabanyal.csv', location: 'Marisma Cabanyal' }
const CANTERAS = { file: 'marisma-las-canteras.csv', location: 'Marisma Las Canteras' }
const GRACIA = { file: 'taberna-nebula-gracia.csv', location: 'Taberna Nébula Gràcia' }
const skipped = (file: object, status = 'Skipped - Not Found', errors = 0) => ({
  ...file,
  imported: 0,
  errors,
  status,
})

beforeAll(async () => {
  app = await startApp({ IMPORT_DIR: directory })
  group = await createGroup(app.stack, 'Grupo Ficheros', [
    { name: CHAMBERI.location, slug: 'chamberi' },
    { name: TRIANA.location, slug: 'triana' },
    { name: CABANYAL.location, slug: 'cabanyal' },
    { name: CANTERAS.location, slug: 'canteras' },
  ])
  await createGroup(app.stack, 'Otro Grupo', [{ name: GRACIA.location, slug: 'gracia' }])
  admin = await signedIn(await group.person('admin'))
})
afterEach(async () => {
  for (const file of readdirSync(directory)) rmSync(join(directory, file), { recursive: true })
  await app.stack.sql(emptyTables('customers', 'reservations', 'import_runs', 'rate_limits'))
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await app?.close()
})

const put = ({ file }: { file: string }, content: string) => writeFileSync(join(directory, file), content)
const links = () =>
  app.stack.sql(
    `select c.email, l.name as location from public.reservations r join public.customers c on c.id = r.customer_id
     join public.locations l on l.id = r.location_id order by 1, 2`,
  )

describe('POST /api/admin/import-csv without a form', () => {
  it('imports the five files, each for its location, and reports those that are missing', async () => {
    put(CHAMBERI, 'email;nombre\nana@correo.example;Ana\nmal;Leo\nluis@correo.example;Luis\n')
    put(CABANYAL, 'email;nombre\nana@correo.example;Ana\n')
    put(CANTERAS, 'nombre\nAna\n')
    put(GRACIA, 'email\neva@correo.example\n')
    expect(await answer(await admin.request('POST', PATH))).toEqual({
      status: 200,
      body: {
        success: true,
        report: {
          details: [
            { ...CHAMBERI, imported: 2, errors: 1 },
            skipped(TRIANA),
            { ...CABANYAL, imported: 1, errors: 0 },
            skipped(
              CANTERAS,
              'Skipped - No known header: the first row must name an email or a phone column',
              1,
            ),
            skipped(GRACIA, 'Skipped - Unknown Location'),
          ],
          totalSuccess: 3,
          totalErrors: 2,
        },
      },
    })
    expect(await links()).toEqual([
      { email: 'ana@correo.example', location: CHAMBERI.location },
      { email: 'ana@correo.example', location: CABANYAL.location },
      { email: 'luis@correo.example', location: CHAMBERI.location },
    ])
    const runs = await app.stack.sql(
      'select file_name, status, imported from public.import_runs order by started_at',
    )
    expect(runs).toEqual([
      { file_name: CHAMBERI.file, status: 'partial', imported: 2 },
      { file_name: CABANYAL.file, status: 'succeeded', imported: 1 },
    ])
  })

  it('also imports the files of the group’s other locations, called like them', async () => {
    put({ file: 'bar-nino-and-co.csv' }, 'email;nombre\nana@correo.example;Ana\n')
    put({ file: 'de-nadie.csv' }, 'email\nleo@correo.example\n')
    const own = await createGroup(app.stack, 'Grupo Propio', [
      { name: 'Bar Niño & and Co.', slug: 'bar' },
      { name: 'Bar sin fichero', slug: 'otro' },
      { name: '寿司', slug: 'sushi' },
    ])
    const boss = await signedIn(await own.person('admin'))
    const { body } = await answer(await boss.request('POST', PATH))
    expect(body.report).toEqual({
      details: [
        ...[CHAMBERI, TRIANA, CABANYAL, CANTERAS, GRACIA].map((file) => skipped(file)),
        { file: 'bar-nino-and-co.csv', location: 'Bar Niño & and Co.', imported: 1, errors: 0 },
      ],
      totalSuccess: 1,
      totalErrors: 0,
    })
    expect(await links()).toEqual([{ email: 'ana@correo.example', location: 'Bar Niño & and Co.' }])
    // Of another group nothing is taken.
    expect((await answer(await admin.request('POST', PATH))).body.report.details).toHaveLength(5)
  })

  it('reports five missing files, and looks at no JSON body', async () => {
    for (const body of [undefined, {}, 'x']) {
      const details = [CHAMBERI, TRIANA, CABANYAL, CANTERAS, GRACIA].map((file) => skipped(file))
      expect(await answer(await admin.request('POST', PATH, { body }))).toEqual({
        status: 200,
        body: { success: true, report: { details, totalSuccess: 0, totalErrors: 0 } },
      })
    }
  })

  it('answers an unexpected failure as documented, without paths', async () => {
    mkdirSync(join(directory, CHAMBERI.file))
    expect(await answer(await admin.request('POST', PATH))).toEqual({
      status: 500,
      body: { error: 'Unexpected error', stack: 'Error: Unexpected error', status: 500 },
    })
  })

  it('skips the files of locations where the person does not work', async () => {
    put(CHAMBERI, 'email\nana@correo.example')
    put(TRIANA, 'email\nana@correo.example')
    const triana = group.locations.filter(({ name }) => name === TRIANA.location).map(({ id }) => id)
    const bound = await signedIn(await group.person('admin', triana))
    const { body } = await answer(await bound.request('POST', PATH))
    expect(body.report.details.slice(0, 2)).toEqual([
      skipped(CHAMBERI, 'Skipped - Unknown Location'),
      { ...TRIANA, imported: 1, errors: 0 },
    ])
    expect(await links()).toEqual([{ email: 'ana@correo.example', location: TRIANA.location }])
  })

  it('is refused the eleventh time in a minute', async () => {
    for (let request = 0; request < 10; request++)
      expect((await admin.request('POST', PATH)).status).toBe(200)
    expect((await admin.request('POST', PATH)).status).toBe(429)
  })
})
