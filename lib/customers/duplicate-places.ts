import { z } from 'zod'
import { HttpError } from '@/lib/http/errors'
import { parseJson } from '@/lib/http/json'
import { pageQuery } from '@/lib/openapi/common'

/** The position of a pair in the list of likely duplicates, the most certain first: probability and both ids. */
export const placeSchema = z.tuple([z.number().min(0).max(1), z.guid(), z.guid()])
type Place = z.infer<typeof placeSchema>

/** The cursor of a position. */
export const encodePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * The position of a cursor, in the form of the SQL functions' arguments.
 * @throws HttpError 400 for an invalid cursor.
 */
export function decodePlace(cursor: string) {
  try {
    const [probability, first, second] = placeSchema.parse(
      parseJson(Buffer.from(cursor, 'base64url').toString('utf8')),
    )
    return { p_after_probability: probability, p_after_first: first, p_after_second: second }
  } catch {
    throw new HttpError('MALFORMED_CURSOR')
  }
}

/** The filters of the list of likely duplicates, and its page. */
export const duplicatesQuery = pageQuery.extend({
  above: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Only pairs of at least this probability' }),
  certain: z.stringbool().optional().meta({ description: 'Only certain pairs' }),
})

/** The lowest probability for merging all likely duplicates at once. */
const MERGE_ABOVE = { min: 0.9, max: 1 } as const
const above = z.number().min(MERGE_ABOVE.min).max(MERGE_ABOVE.max)

export const mergeAllQuery = z.object({
  above: z.coerce.number().min(MERGE_ABOVE.min).max(MERGE_ABOVE.max),
  certain: z.stringbool().default(false).meta({ description: 'Only certain pairs' }),
})
export const mergeAllSchema = z.strictObject({
  above: above.meta({ description: 'Pairs of at least this probability' }),
  certain: z.boolean().default(false).meta({ description: 'Only certain pairs' }),
  cursor: z.string().max(600).optional().meta({ description: 'next_cursor of the step before' }),
})

export const pairCountSchema = z.object({
  pairs: z.int(),
  more: z.boolean().meta({ description: 'There are more than these ten thousand' }),
})
export const mergedSomeSchema = z.object({
  merged: z.int().meta({ description: 'Customers that are now part of another' }),
  next_cursor: z.string().nullable().meta({ description: 'Where the next step begins; null: all is done' }),
})
export type MergedSome = z.infer<typeof mergedSomeSchema>
/** The result of the SQL function. */
export const mergedRowsSchema = z.object({ merged: z.int(), next: placeSchema.nullable() })
