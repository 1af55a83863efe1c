import { z } from 'zod'
import { UNCONFIRMED } from '@/lib/http/errors'
import type { Answer } from './operation'

export const errorSchema = z
  .strictObject({ error: z.string() })
  .meta({ id: 'Error', description: 'What happened, in one line.' })

/** The usual body of an unexpected failure. */
export const unexpectedSchema = z
  .strictObject({ error: z.string(), code: z.literal('INTERNAL_ERROR'), timestamp: z.iso.datetime() })
  .meta({ id: 'UnexpectedError', description: 'An unexpected failure; logged under the X-Request-Id.' })

/** An answer that is an error: `{error}` with that very text. */
export const problem = (description: string, error: string): Answer => ({
  description,
  schema: errorSchema,
  example: { error },
})

/** 403 of what people with a second factor must confirm. */
export const unconfirmed: Answer = {
  description:
    'Not allowed, or sent from another site; with `confirm`: the person has a second factor and must give a code of it to POST /api/auth/second-factor, then send this again',
  schema: z.strictObject({ error: z.string(), confirm: z.literal(UNCONFIRMED.confirm).optional() }),
  example: UNCONFIRMED,
}

/** 404 of a record that is not there, or that the caller may not see. */
export const notFound = problem('Not there, or not visible to the caller', 'Not found')

/** `{data}` around one record. */
export const single = <S extends z.ZodType>(schema: S) => z.object({ data: schema })

/** `{data, next_cursor}` around a page of records. */
export const page = <S extends z.ZodType>(schema: S) =>
  z.object({ data: z.array(schema), next_cursor: z.string().nullable() })

/** The path parameter of every record. */
export const idParams = z.object({ id: z.uuid() })

/** Keyset pagination, as every list takes it. */
export const pageQuery = z.object({
  cursor: z.string().max(600).optional().meta({ description: 'next_cursor of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
