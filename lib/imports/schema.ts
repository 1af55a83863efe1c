import { z } from 'zod'
import { brokenMark } from '@/lib/db/broken'
import { storedInstant } from '@/lib/http/instant'
import { CONSENTS } from './consents'

const IMPORT_STATUSES = ['running', 'succeeded', 'partial', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/**
 * An import in a list. `total` counts every row of the file, `created` and `updated` customers, `repeated` the imported
 * rows for a customer of another row, `incomplete` the rows imported without an invalid value.
 */
export const importSchema = z
  .object({
    id: z.string(),
    file_name: z.string(),
    location_id: z.string().nullable(),
    profile_id: z.string().nullable(),
    consent: z.enum(CONSENTS),
    status: z.enum(IMPORT_STATUSES),
    total: z.int(),
    processed: z.int(),
    imported: z.int(),
    created: z.int(),
    updated: z.int(),
    repeated: z.int(),
    incomplete: z.int(),
    error_count: z.int(),
    failed_row_count: z.int(),
    started_at: storedInstant,
    finished_at: storedInstant.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof importSchema>

/** An import with its first error lines. */
export const importDetailSchema = importSchema
  .extend({ errors: z.array(z.string()), broken: brokenMark })
  .meta({ id: 'ImportDetail' })
export type ImportDetail = z.infer<typeof importDetailSchema>

export const IMPORT_COLUMNS = Object.keys(importSchema.shape).join(', ')

/** The answer of POST /api/admin/import-csv without an upload. */
export const reportSchema = z.object({
  success: z.literal(true),
  report: z.object({
    details: z.array(
      z.object({
        file: z.string(),
        location: z.string(),
        imported: z.int(),
        errors: z.int(),
        status: z.string().optional(),
      }),
    ),
    totalSuccess: z.int(),
    totalErrors: z.int(),
  }),
})
export type Report = z.infer<typeof reportSchema>['report']

/** The answer of POST /api/admin/import-csv to an upload. */
export const resultSchema = z.object({ total: z.int(), imported: z.int(), errors: z.array(z.string()) })

/** A line of the answer to `Accept: application/x-ndjson`. */
export const eventSchema = z.union([
  z.object({ type: z.literal('started'), import_id: z.string() }),
  z.object({ type: z.literal('progress'), processed: z.int(), imported: z.int(), errors: z.int() }),
  resultSchema.extend({ type: z.literal('done') }),
  z.object({ type: z.literal('failed'), error: z.string() }),
])
export type ImportEvent = z.infer<typeof eventSchema>
