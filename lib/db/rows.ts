import 'server-only'
import { z } from 'zod'
import { log } from '@/lib/log'

/** What stands for a value that cannot be read: the first of these that the field's schema takes. */
const EMPTY = [null, [], {}, '', 0, false] as const

/**
 * Parses stored rows one by one, so that a row that cannot be read breaks no list, page or job. Its unreadable fields
 * are null or empty, and it has `broken: true`. A row that cannot be shown even so is left out. Both are logged, without
 * values.
 */
export function parseRows<S extends z.ZodObject>(schema: S, rows: unknown): z.output<S>[] {
  return z
    .array(z.unknown())
    .parse(rows ?? [])
    .map((row) => parseRow(schema, row))
    .filter((row) => row !== null)
}

/** `parseRows` of one row; null when there is none, or it cannot be shown. */
export function parseRow<S extends z.ZodObject>(schema: S, row: unknown): z.output<S> | null {
  if (row === null || row === undefined) return null
  const whole = schema.safeParse(row)
  if (whole.success) return whole.data
  const fields = [...new Set(whole.error.issues.map(({ path }) => String(path[0])))]
  const mended = schema.safeParse({ ...Object(row), ...Object.fromEntries(emptied(schema, fields)) })
  log().error({ row: Object(row).id, fields, shown: mended.success }, 'a stored row is broken')
  return mended.success ? ({ ...mended.data, broken: true } as z.output<S>) : null
}

function emptied(schema: z.ZodObject, fields: readonly string[]): [string, unknown][] {
  return fields.map((field) => [field, EMPTY.find((value) => schema.shape[field]?.safeParse(value).success)])
}
