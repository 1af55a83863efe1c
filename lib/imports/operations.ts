import { z } from 'zod'
import { LOCALES } from '@/lib/i18n/locales'
import { errorSchema, idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { FIELDS } from './columns'
import { CONSENTS, DEFAULT_CONSENT } from './consents'
import { eventSchema, importDetailSchema, importSchema, reportSchema, resultSchema } from './schema'

const tag = 'Imports'
const run = {
  id: '7d2a0f0e-1f0c-4a55-9a54-3f1e8f5c9a10',
  file_name: 'clientes.csv',
  location_id: null,
  profile_id: '0b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a11',
  consent: 'existing_customer',
  status: 'partial',
  total: 1200,
  processed: 1200,
  imported: 1199,
  created: 900,
  updated: 250,
  repeated: 12,
  incomplete: 0,
  error_count: 1,
  failed_row_count: 1,
  started_at: '2026-11-20T12:00:00.000000+00:00',
  finished_at: '2026-11-20T12:00:01.000000+00:00',
}
const detail = { ...run, errors: ['Row 7: the email is not valid'] }
const permission = 'canViewSettings'
const consent = z.enum(CONSENTS).default(DEFAULT_CONSENT).meta({
  description:
    'The basis for marketing to these people: they agreed, they are existing customers of the group, or there is none',
})
const csvFile = z.string().meta({
  format: 'binary',
  description:
    'Semicolon-separated. At most 50 MB, or what the host takes: 4 MB on Vercel (the setting UPLOAD_MB). Split a larger one.',
})
const tooLarge = problem(
  'Larger than the server takes; nothing was imported. A host that refuses by itself answers in plain text',
  'BODY_TOO_LARGE',
)
const failure = (message: string) => ({ error: message, stack: `Error: ${message}`, status: 500 })

export const importPaths = definePaths({
  '/api/admin/import-csv': {
    post: {
      contract: true,
      summary: 'Import customers from CSV: the five predefined files, or an uploaded one',
      description:
        'Without a form: the five predefined files, and those of other locations that are in IMPORT_DIR ' +
        '(`casa-lumbre.csv` for Casa Lumbre), one after another, each for its location. With a form ' +
        '(only super_admin): the file of the field `file`, its customers linked to `location_id` when given. ' +
        'At most 5,000 rows of a file are processed. A client that goes away cancels the import.',
      tag: 'Admin',
      auth: 'session',
      permission,
      rateLimited: true,
      otherBodies: {
        'multipart/form-data': z.object({
          file: csvFile,
          location_id: z.guid().optional(),
          consent,
        }),
      },
      headers: { Accept: '`application/x-ndjson` with a form: a line an event, as the import goes on' },
      failure,
      responses: {
        200: {
          description: 'The report of the files; with a form the counts of the one',
          schema: z.union([reportSchema, resultSchema]),
          example: { total: 1200, imported: 1199, errors: ['Row 7: the email is not valid'] },
          otherForms: { 'application/x-ndjson': { schema: eventSchema } },
        },
        400: problem('Nothing that can be imported; nothing is written', 'NO_FILE'),
        413: tooLarge,
        415: problem(
          'The body is not a form',
          'UNSUPPORTED_CONTENT_TYPE',
          'Content-Type must be multipart/form-data',
        ),
        500: {
          description: 'Unexpected failure; with a form `{error}`',
          schema: z.union([
            z.strictObject({ error: z.string(), stack: z.string(), status: z.literal(500) }),
            errorSchema,
          ]),
          example: failure('Unexpected error'),
        },
      },
    },
  },
  '/api/imports': {
    get: {
      summary: 'Imports, the latest first',
      tag,
      auth: 'session',
      permission,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of imports',
          schema: page(importSchema),
          example: { data: [run], next_cursor: null },
        },
      },
    },
    post: {
      summary: 'Import customers from an uploaded CSV file',
      description:
        'At most 5,000 rows are processed. A row with a value that cannot be read is imported without it, as long ' +
        'as it has an e-mail or a phone, and reported. A client that goes away cancels the import.',
      tag,
      auth: 'session',
      permission,
      rateLimited: true,
      otherBodies: {
        'multipart/form-data': z.object({
          columns: z
            .string()
            .optional()
            .meta({
              description:
                'JSON: the field of each column whose name is not known, `{"Correu": "email", "Mesa": null}` (null: do ' +
                `not import). One of ${FIELDS.join(', ')}. Must come before the file.`,
            }),
          file: csvFile,
          location_id: z.guid().optional().meta({ description: 'The location to link its customers to' }),
          consent,
        }),
      },
      headers: { Accept: '`application/x-ndjson`: a line an event, as the import goes on' },
      responses: {
        201: {
          description: 'The import, which is over',
          schema: single(importDetailSchema),
          example: { data: detail },
          otherForms: { 'application/x-ndjson': { schema: eventSchema } },
        },
        400: problem('Nothing that can be imported; nothing is written', 'NO_FILE'),
        413: tooLarge,
        415: problem(
          'The body is not a form',
          'UNSUPPORTED_CONTENT_TYPE',
          'Content-Type must be multipart/form-data',
        ),
      },
    },
  },
  '/api/imports/{id}': {
    get: {
      summary: 'An import with its first 200 error lines',
      tag,
      auth: 'session',
      permission,
      params: idParams,
      responses: {
        200: { description: 'The import', schema: single(importDetailSchema), example: { data: detail } },
        404: notFound,
      },
    },
  },
  '/api/imports/{id}/failed-rows': {
    get: {
      summary: 'The rows with a problem, to correct and import again',
      description:
        'The columns of the file, and the reason last; also rows that were imported without a bad value. Cells that a spreadsheet would run as a formula ' +
        'begin with an apostrophe (importing takes it off again); phone numbers stay as they are.',
      tag,
      auth: 'session',
      permission,
      params: idParams,
      query: z.object({
        language: z.enum(LOCALES).default('es').meta({ description: 'Of the reasons' }),
      }),
      responses: {
        200: {
          description: 'Semicolon-separated (English: commas), UTF-8 with a byte order mark',
          contentType: 'text/csv',
          headers: { 'Content-Disposition': 'attachment' },
        },
        404: problem(
          'Not there, not visible, no row with a problem, or no longer kept (`keep_failed_rows_days`)',
          'NOT_FOUND',
        ),
      },
    },
  },
  '/api/imports/{id}/cancel': {
    post: {
      summary: 'Cancel a running import',
      description: 'It stops before its next chunk of 1,000 rows. What is saved stays.',
      tag,
      auth: 'session',
      permission,
      params: idParams,
      responses: {
        200: {
          description: 'The cancelled import',
          schema: single(importDetailSchema),
          example: { data: { ...detail, status: 'cancelled' } },
        },
        404: notFound,
        409: problem('It is over', 'IMPORT_OVER'),
      },
    },
  },
})
