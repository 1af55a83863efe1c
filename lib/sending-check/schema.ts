import { z } from 'zod'
import { storedInstant } from '@/lib/http/instant'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { CHANNELS, factsSchema } from '@/lib/messaging/schema'
import { BLOCKING_CODES, WARNING_CODES } from './codes'

const field = z.string().optional().meta({ description: 'Where it stands, as in the input’s paths' })
const count = z.int().optional().meta({ description: 'How many guests, or images without a text' })

const language = z
  .enum(GUEST_LANGUAGES)
  .optional()
  .meta({ description: 'That of the version in which the field stands' })

const blocking = z.object({ code: z.enum(BLOCKING_CODES), field, count, language })
const warning = z.object({
  code: z.enum(WARNING_CODES),
  count,
  parts: z.int().optional().meta({ description: 'Segments of SMS, if everybody got them' }),
  amount: z.number().optional().meta({ description: 'What they cost, in EUR; absent without a price' }),
  until: storedInstant.optional().meta({ description: 'Until when the first of them wait' }),
})

export const sendingCheckSchema = z.object({ blocking: z.array(blocking), warnings: z.array(warning) }).meta({
  id: 'SendingCheck',
  description:
    'What is wrong with a send: `blocking` has to be mended before it can be launched or activated, `warnings` may stay.',
})
export type SendingCheck = z.infer<typeof sendingCheckSchema>
export type Blocking = z.infer<typeof blocking>
export type Warning = z.infer<typeof warning>

/** A guest for whom the messages are rendered; `guests` is how many they stand for (private.guests_to_check). */
export const guestToCheckSchema = z.object({
  guests: z.number(),
  channel: z.enum(CHANNELS),
  facts: factsSchema,
})
export type GuestToCheck = z.infer<typeof guestToCheckSchema>
