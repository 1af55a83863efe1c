import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvForm } from '../../support/csv-form'
import { error, ISO, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given, unlimited } from './arrange'
import { about } from './cases'

const ID = '20000000-0000-4000-8000-000000000001'
const POST = 'POST /api/admin/import-csv'
const ONE = '/api/imports/{id}'
const FAILED = `GET ${ONE}/failed-rows`
const CREATE = 'POST /api/imports'
const UPLOADS = 'our own: POST /api/imports'
const CANCEL = `POST ${ONE}/cancel`
const NO_HEADER = 'No known header: the first row must name an email or a phone column'

const FILES = [
  { file: 'casa-lumbre-chamberi.csv', location: 'Casa Lumbre Chamberí' },
  { file: 'casa-lumbre-triana.csv', location: 'Casa Lumbre Triana' },
  { file: 'marisma-cabanyal.csv', location: 'Marisma Cabanyal' },
  { file: 'marisma-las-canteras.csv', location: 'Marisma Las Canteras' },
  { file: 'taberna-nebula-gracia.csv', location: 'Taberna Nébula Gràcia' },
]
const absent = (file: object) => ({ ...file, imported: 0, errors: 0, status: 'Skipped - Not Found' })
const CSV = [
  'email;phone;código país;nombre;apellido;cumpleaños;empresa;cargo;dirección;etiquetas',
  'ana@contrato.example;;;Ana;Ruiz;05/09/1990;;;;vip, vino',
  'mal;;;Leo;;;;;;',
  'luis@contrato.example;;;Luis;;1985-12-31;;;;',
].join('\n')

/** Nothing that an import wrote stays. */
const tidy = all(
  unlimited,
  afterwards('delete from public.import_runs'),
  afterwards(`delete from public.customers where email like '%@contrato.example'`),
  afterwards(`delete from public.reservations where source = 'import'`),
)
/** The first file, and its location in the group. */
const fileThere = all(
  given('locations', () => ({ id: ID, name: 'Casa Lumbre Chamberí' })),
  tidy,
  async ({ importDir }) => {
    const path = join(importDir, 'casa-lumbre-chamberi.csv')
    writeFileSync(path, CSV)
    return async () => rmSync(path)
  },
)

const run = {
  file_name: 'clientes.csv',
  location_id: null,
  consent: 'existing_customer',
  status: 'partial',
  total: 3,
  processed: 3,
  imported: 2,
  created: 2,
  updated: 0,
  repeated: 0,
  incomplete: 0,
  error_count: 1,
  failed_row_count: 1,
}
const logged = (changes: object = {}) =>
  given('import_runs', ({ id }) => ({
    id: ID,
    profile_id: id('super_admin'),
    ...run,
    errors: ['Row 2: the email is not valid'],
    failed_rows: { columns: ['email'], rows: [['mal', 'the email is not valid']] },
    started_at: new Date().toISOString(),
    finished_at: new Date().toISOString(),
    ...changes,
  }))
const shown =
  (changes: object = {}) =>
  ({ id }: World) => ({
    id: ID,
    profile_id: id('super_admin'),
    ...run,
    started_at: ISO,
    finished_at: ISO,
    ...changes,
  })
const errors = ['Row 2: the email is not valid']
const running = { status: 'running', finished_at: null }

const form =
  (content: string, fields: Record<string, string> = {}) =>
  () =>
    csvForm(content, fields)

/** One person, imported without a birth date that no calendar has. */
const shownWithout = (world: World) => ({
  data: {
    ...shown({ total: 1, processed: 1, imported: 1, created: 1, incomplete: 1 })(world),
    id: UUID,
    profile_id: world.id('admin'),
    errors: ['Row 1: the birth date is not valid; imported without it'],
  },
})

/** The import of customers and its log. */
export const importRows: Row[] = [
  {
    name: 'skips files that are missing',
    section: 'POST /api/admin/import-csv',
    as: 'admin',
    request: { operation: POST },
    arrange: tidy,
    answers: {
      status: 200,
      body: {
        success: true,
        report: { details: FILES.map(absent), totalSuccess: 0, totalErrors: 0 },
      },
    },
  },
  {
    name: 'imports the one file that is there',
    section: 'POST /api/admin/import-csv',
    as: 'admin',
    request: { operation: POST },
    arrange: fileThere,
    answers: {
      status: 200,
      body: {
        success: true,
        report: {
          details: [{ ...FILES[0], imported: 2, errors: 1 }, ...FILES.slice(1).map(absent)],
          totalSuccess: 2,
          totalErrors: 1,
        },
      },
    },
  },
  {
    name: 'refuses a caller without a session',
    section: 'our own: PERM without a session',
    as: 'visitor',
    request: { operation: POST },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a role without canViewSettings',
    section: 'our own: PERM without the permission',
    as: 'ceo',
    request: { operation: POST },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses a file that is not in a form',
    section: 'our own: 415 wrong content type',
    as: 'admin',
    request: { operation: POST, body: CSV, headers: { 'content-type': 'text/csv' } },
    arrange: unlimited,
    answers: { status: 415, body: error('Content-Type must be multipart/form-data') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'POST /api/admin/import-csv: error',
    as: 'admin',
    request: { operation: POST },
    databaseDown: true,
    answers: { status: 500, body: { error: TEXT, stack: TEXT, status: 500 } },
  },
  {
    name: 'imports the valid rows and names the others',
    section: 'POST /api/admin/import-csv (variant)',
    as: 'super_admin',
    request: { operation: POST, body: form(CSV) },
    arrange: tidy,
    answers: { status: 200, body: { total: 3, imported: 2, errors } },
  },
  {
    name: 'streams its progress line by line',
    section: 'our own: imports',
    as: 'super_admin',
    request: { operation: POST, body: form(CSV), headers: { accept: 'application/x-ndjson' } },
    arrange: tidy,
    answers: { status: 200, headers: { 'content-type': 'application/x-ndjson' } },
  },
  {
    name: 'refuses a form without a file',
    section: 'Errors: 400 no file in import (variant)',
    as: 'super_admin',
    request: {
      operation: POST,
      body: () => {
        const empty = new FormData()
        empty.append('note', 'x')
        return empty
      },
    },
    arrange: unlimited,
    answers: { status: 400, body: error('No file provided') },
  },
  {
    name: 'refuses a file without a known header',
    section: 'POST /api/admin/import-csv (variant)',
    as: 'super_admin',
    request: { operation: POST, body: form('nombre;apellido\nAna;Ruiz') },
    arrange: unlimited,
    answers: { status: 400, body: error(NO_HEADER) },
  },
  {
    name: 'refuses a location of another organization',
    section: 'POST /api/admin/import-csv (variant)',
    as: 'super_admin',
    request: { operation: POST, body: ({ location }) => csvForm(CSV, { location_id: location('Este') }) },
    arrange: unlimited,
    answers: { status: 400, body: error('Unknown location') },
  },
  {
    name: 'refuses a caller without a session',
    section: 'POST /api/admin/import-csv (variant)',
    as: 'visitor',
    request: { operation: POST, body: form(CSV) },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses the upload of an admin',
    section: 'Errors: 403 role not allowed (variants)',
    as: 'admin',
    request: { operation: POST, body: form(CSV) },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'POST /api/admin/import-csv (variant)',
    as: 'super_admin',
    request: { operation: POST, body: form(CSV) },
    databaseDown: true,
    answers: { status: 500, body: error(TEXT) },
  },

  {
    name: 'lists the one that there is',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: 'GET /api/imports' },
    arrange: logged(),
    answers: { status: 200, body: (world) => ({ data: [shown()(world)], next_cursor: null }) },
  },
  {
    name: 'imports the valid rows and names the others',
    section: UPLOADS,
    as: 'admin',
    request: { operation: CREATE, body: form(CSV, { consent: 'opt_in' }) },
    arrange: tidy,
    answers: {
      status: 201,
      body: (world) => ({
        data: { ...shown({ errors, consent: 'opt_in' })(world), id: UUID, profile_id: world.id('admin') },
      }),
    },
  },
  {
    name: 'imports a row without its unreadable value',
    section: 'our own: CSV',
    as: 'admin',
    request: { operation: CREATE, body: form('email;cumpleaños\nana@contrato.example;31/02/1990') },
    arrange: tidy,
    answers: { status: 201, body: shownWithout },
  },
  {
    name: 'streams its progress line by line',
    section: UPLOADS,
    as: 'admin',
    request: { operation: CREATE, body: form(CSV), headers: { accept: 'application/x-ndjson' } },
    arrange: tidy,
    answers: { status: 201, headers: { 'content-type': 'application/x-ndjson' } },
  },
  {
    name: 'refuses a form without a file',
    section: UPLOADS,
    as: 'admin',
    request: { operation: CREATE, body: () => new FormData() },
    arrange: unlimited,
    answers: { status: 400, body: error('No file provided') },
  },
  {
    name: 'refuses an unknown consent',
    section: UPLOADS,
    as: 'admin',
    request: { operation: CREATE, body: form(CSV, { consent: 'yes' }) },
    arrange: unlimited,
    answers: { status: 400, body: about('consent') },
  },
  {
    name: 'refuses a body that is no form',
    section: UPLOADS,
    as: 'admin',
    request: { operation: CREATE, body: { file: CSV } },
    arrange: unlimited,
    answers: { status: 415, body: error('Content-Type must be multipart/form-data') },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: 'GET /api/imports', query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'gives it',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: logged(),
    answers: { status: 200, body: (world) => ({ data: shown({ errors })(world) }) },
  },
  {
    name: 'gives the failed rows as a file',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: FAILED, id: ID },
    arrange: logged(),
    answers: { status: 200, headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment' } },
  },
  {
    name: 'finds no failed rows when none failed',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: FAILED, id: ID },
    arrange: logged({ failed_rows: null }),
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'cancels a running import',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: CANCEL, id: ID },
    arrange: logged(running),
    answers: {
      status: 200,
      body: (world) => ({
        data: shown({ errors, status: 'cancelled' })(world),
      }),
    },
  },
  {
    name: 'refuses to cancel a finished import',
    section: 'our own: imports',
    as: 'admin',
    request: { operation: CANCEL, id: ID },
    arrange: logged(),
    answers: { status: 409, body: error('The import is over') },
  },
]
