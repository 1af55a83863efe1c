import { z } from 'zod'
import { allergiesField } from '@/lib/customers/facts-schema'
import { requiredText } from '@/lib/http/fields'
import { storedInstant } from '@/lib/http/instant'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { CHANNELS } from '@/lib/messaging/channels'
import { MAX_REPLY } from './limits'

/** Stars, as guests know them from review sites. */
export const SCORES = [1, 2, 3, 4, 5] as const
export type Score = (typeof SCORES)[number]

const scoreSchema = z.union(SCORES.map((score) => z.literal(score)))

export const feedbackSchema = z
  .object({
    id: z.string(),
    location_id: z.string(),
    location: z.string().nullable(),
    customer_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    allergies: allergiesField,
    reservation_id: z.string(),
    reservation_date: z.string().nullable().meta({ description: 'The service day of the visit' }),
    score: scoreSchema,
    words: z.string().nullable(),
    language: z.enum(GUEST_LANGUAGES),
    answered_at: storedInstant,
    ticket_id: z.string().nullable(),
    reply: z.string().nullable().meta({ description: 'What the restaurant wrote back' }),
    replied_by: z.string().nullable(),
    replied_at: storedInstant.nullable(),
  })
  .meta({
    id: 'Feedback',
    description:
      'What a guest said about a visit: 1 to 5 stars and words. `customer_id` is null after an erasure, which also removes the words; `ticket_id` is the ticket that a bad score opened.',
  })
export type Feedback = z.infer<typeof feedbackSchema>

export const feedbackReplyInput = z.strictObject({ reply: requiredText(MAX_REPLY) })
export type FeedbackReply = z.output<typeof feedbackReplyInput>

export const feedbackReplySchema = z.object({ id: z.string(), channel: z.enum(CHANNELS).nullable() })

export const trendSchema = z.array(
  z.object({
    location_id: z.string(),
    location: z.string(),
    week: z.string(),
    answers: z.coerce.number(),
    average: z.coerce.number().nullable(),
  }),
)
/** The answers of a location in a week (its Monday), and their average score; null without answers. */
export type TrendWeek = z.infer<typeof trendSchema>[number]

export const scoresSchema = z.array(
  z.object({
    location_id: z.string(),
    location: z.string(),
    score: scoreSchema,
    answers: z.coerce.number(),
    with_words: z.coerce.number(),
  }),
)
