import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvForm } from '../../support/csv-form'
import { error, ISO, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given, unlimited } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = '20000000-0000-4000-8000-000000000001'
const POST = 'POST /api/admin/import-csv'
const ONE = '/api/imports/{id}'
const FAILED = `GET ${ONE}/failed-rows`
const CREATE = 'POST /api/imports'
const UPLOADS = 'decisions §11: POST /api/imports'
const CANCEL = `POST ${ONE}/cancel`
const BY_ID = [`GET ${ONE}`, FAILED, CANCEL]
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

const files = cases('POST /api/admin/import-csv', 'admin')
const upload = cases('POST /api/admin/import-csv (variant)', 'super_admin')
const imports = cases('decisions §8: imports', 'admin')

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
  files(
    'none of the files is there',
    POST,
    200,
    {
      success: true,
      report: { details: FILES.map(absent), totalSuccess: 0, totalErrors: 0 },
    },
    { arrange: tidy },
  ),
  files(
    'one of the files is there',
    POST,
    200,
    {
      success: true,
      report: {
        details: [{ ...FILES[0], imported: 2, errors: 1 }, ...FILES.slice(1).map(absent)],
        totalSuccess: 2,
        totalErrors: 1,
      },
    },
    { arrange: fileThere },
  ),
  files('there is no session', POST, 401, error('Unauthorized'), {
    section: 'decisions §2: PERM without a session',
    as: 'nobody',
  }),
  files('the role lacks canViewSettings', POST, 403, error('Forbidden'), {
    section: 'decisions §2: PERM without the permission',
    as: 'ceo',
  }),
  files('the file is the body', POST, 415, error('Content-Type must be multipart/form-data'), {
    section: 'decisions §8: 415 wrong content type',
    json: CSV,
    sent: { 'content-type': 'text/csv' },
    arrange: unlimited,
  }),
  files(
    'the database does not answer',
    POST,
    500,
    { error: TEXT, stack: TEXT, status: 500 },
    {
      section: 'POST /api/admin/import-csv: error',
      databaseDown: true,
    },
  ),
  upload(
    'some rows can be imported',
    POST,
    200,
    { total: 3, imported: 2, errors },
    {
      json: form(CSV),
      arrange: tidy,
    },
  ),
  upload('the answer is to come line by line', POST, 200, undefined, {
    section: 'decisions §8: imports',
    json: form(CSV),
    sent: { accept: 'application/x-ndjson' },
    headers: { 'content-type': 'application/x-ndjson' },
    arrange: tidy,
  }),
  upload('the form has no file', POST, 400, error('No file provided'), {
    section: 'Errors: 400 no file in import (variant)',
    json: () => {
      const empty = new FormData()
      empty.append('note', 'x')
      return empty
    },
    arrange: unlimited,
  }),
  upload('the file has no header', POST, 400, error(NO_HEADER), {
    json: form('nombre;apellido\nAna;Ruiz'),
    arrange: unlimited,
  }),
  upload('the location is another organization’s', POST, 400, error('Unknown location'), {
    json: ({ location }) => csvForm(CSV, { location_id: location('Este') }),
    arrange: unlimited,
  }),
  upload('there is no session', POST, 401, error('Unauthorized'), { as: 'nobody', json: form(CSV) }),
  upload('an admin uploads', POST, 403, error('Forbidden'), {
    section: 'Errors: 403 role not allowed (variants)',
    as: 'admin',
    json: form(CSV),
  }),
  upload('the database does not answer', POST, 500, error(TEXT), { json: form(CSV), databaseDown: true }),

  ...signedOut(['GET /api/imports', 'POST /api/imports', ...BY_ID]),
  ...notFor('ceo', 'canViewSettings', ['GET /api/imports', 'POST /api/imports', ...BY_ID]),
  ...byId(BY_ID, { as: 'admin', id: ID, given: logged() }),
  imports(
    'there is one',
    'GET /api/imports',
    200,
    (world) => ({ data: [shown()(world)], next_cursor: null }),
    {
      arrange: logged(),
    },
  ),
  imports(
    'some rows can be imported',
    CREATE,
    201,
    (world) => ({
      data: { ...shown({ errors, consent: 'opt_in' })(world), id: UUID, profile_id: world.id('admin') },
    }),
    { section: UPLOADS, json: form(CSV, { consent: 'opt_in' }), arrange: tidy },
  ),
  imports('a value cannot be read', CREATE, 201, shownWithout, {
    section: 'decisions §9: CSV',
    json: form('email;cumpleaños\nana@contrato.example;31/02/1990'),
    arrange: tidy,
  }),
  imports('the answer is to come line by line', CREATE, 201, undefined, {
    section: UPLOADS,
    json: form(CSV),
    sent: { accept: 'application/x-ndjson' },
    headers: { 'content-type': 'application/x-ndjson' },
    arrange: tidy,
  }),
  imports('the form has no file', CREATE, 400, error('No file provided'), {
    section: UPLOADS,
    json: () => new FormData(),
    arrange: unlimited,
  }),
  imports('the consent is none that there is', CREATE, 400, about('consent'), {
    section: UPLOADS,
    json: form(CSV, { consent: 'yes' }),
    arrange: unlimited,
  }),
  imports('the body is no form', CREATE, 415, error('Content-Type must be multipart/form-data'), {
    section: UPLOADS,
    json: { file: CSV },
    arrange: unlimited,
  }),
  imports('the limit is out of range', 'GET /api/imports', 400, about('limit'), { query: '?limit=0' }),
  imports('it is there', `GET ${ONE}`, 200, (world) => ({ data: shown({ errors })(world) }), {
    id: ID,
    arrange: logged(),
  }),
  imports('a row failed', FAILED, 200, undefined, {
    id: ID,
    headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment' },
    arrange: logged(),
  }),
  imports('no row failed', FAILED, 404, error('Not found'), {
    id: ID,
    arrange: logged({ failed_rows: null }),
  }),
  imports(
    'it is running',
    CANCEL,
    200,
    (world) => ({
      data: shown({ errors, status: 'cancelled' })(world),
    }),
    { id: ID, arrange: logged(running) },
  ),
  imports('it is over', CANCEL, 409, error('The import is over'), { id: ID, arrange: logged() }),
]
