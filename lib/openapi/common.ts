import { z } from 'zod'
import { ERRORS, type ErrorCode, ISSUE_CODES } from '@/lib/http/error-codes'
import { segmentUses } from '@/lib/segments/schema'
import { sendingCheckSchema } from '@/lib/sending-check/schema'
import type { Answer } from './operation'

/** The body of an error where the contract fixes it. */
export const errorSchema = z.strictObject({ error: z.string() }).meta({
  id: 'ContractError',
  description: 'What happened, in one line. The code is the header X-Error-Code.',
})

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]
const issueSchema = z
  .strictObject({
    path: z.string().meta({ description: 'The field: `criteria.days_before`; empty for the whole body' }),
    code: z.enum(ISSUE_CODES),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  })
  .meta({ id: 'Issue' })

/** The body of every other error. */
export const codedErrorSchema = z
  .strictObject({
    error: z.string().meta({ description: 'What happened, in one line; may be reworded' }),
    code: z.enum(CODES).meta({ description: 'What happened, for programs; also the header X-Error-Code' }),
    issues: z.array(issueSchema).max(20).optional().meta({ description: 'Which fields, and what is wrong' }),
    confirm: z.literal('second_factor').optional(),
    candidates: z
      .array(z.object({ id: z.string(), name: z.string().nullable() }))
      .optional()
      .meta({
        description:
          'With CONTACT_OF_ANOTHER: the guests whose contact it is; empty without access to customers',
      }),
    questions: z
      .array(z.string())
      .optional()
      .meta({ description: 'With a question: the codes of all that apply; `confirm` them in lower case' }),
    current: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'With EDITED_MEANWHILE: what these fields are now' }),
    blocking: sendingCheckSchema.shape.blocking.optional().meta({ description: 'With CHECK_FAILED' }),
    warnings: sendingCheckSchema.shape.warnings.optional().meta({ description: 'With CHECK_FAILED' }),
    later_id: z.string().optional().meta({ description: 'With MERGED_SINCE: the merge to undo first' }),
    in_use: segmentUses
      .optional()
      .meta({ description: 'With SEGMENT_IN_USE: how many use it, and those that the caller may see' }),
  })
  .meta({ id: 'Error' })

/** The usual body of an unexpected failure. */
export const unexpectedSchema = z
  .strictObject({ error: z.string(), code: z.literal('INTERNAL_ERROR'), timestamp: z.iso.datetime() })
  .meta({ id: 'UnexpectedError', description: 'An unexpected failure; logged under the X-Request-Id.' })

/** An error answer; `answersOf` adds its body. */
export const problem = (description: string, code: ErrorCode, text: string = ERRORS[code][1]): Answer => ({
  description,
  error: { code, text },
})

/** 403 of operations that people with a second factor must confirm. */
export const unconfirmed = problem(
  'Not allowed, or sent from another site; with `confirm`: the person has a second factor and must give a code of it to POST /api/auth/second-factor, then send this again',
  'SECOND_FACTOR_NEEDED',
)

/**
 * 503 while Auth gives no verdict: AUTH_UNAVAILABLE when it does not answer, AUTH_BUSY with Retry-After at its limits.
 * Nothing was counted or changed.
 */
export const silentAuth = (text?: string): Answer => ({
  ...problem(
    'Auth does not answer, or is at its limits (AUTH_BUSY, with Retry-After): nothing was counted, and an expired session is kept. Send it again',
    'AUTH_UNAVAILABLE',
    text,
  ),
  headers: { 'Retry-After': 'Seconds to wait, with AUTH_BUSY' },
})

/** 404 for a record that does not exist, or that the caller may not see. */
export const notFound = problem('Not there, or not visible to the caller', 'NOT_FOUND')

/** 409 of a change when a value of `loaded` is no longer current. */
export const edited = problem(
  'Someone else changed these fields since they were read: `current` has what they are now',
  'EDITED_MEANWHILE',
)

/** `{data}` around one record. */
export const single = <S extends z.ZodType>(schema: S) => z.object({ data: schema })

/** `{data, next_cursor}` around a page of records. */
export const page = <S extends z.ZodType>(schema: S) =>
  z.object({ data: z.array(schema), next_cursor: z.string().nullable() })

/** The path parameter of every record. Ids are `guid`, not `uuid`: Postgres takes any 32 digits, RFC versions or not. */
export const idParams = z.object({ id: z.guid() })

/** The parameters of keyset pagination in every list. */
export const pageQuery = z.object({
  cursor: z.string().max(600).optional().meta({ description: 'next_cursor of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
