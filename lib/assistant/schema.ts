import { z } from 'zod'
import { HISTORY_LENGTH, MAX_TEXT } from './limits'

const NUL = /^[^\0]*$/

const historyEntry = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string().max(MAX_TEXT).regex(NUL, 'Invalid characters'),
})

/** Blanks the entries before the last ones, which are not validated; the indexes of the others stay. */
function blankBeforeEnd(history: unknown): unknown {
  if (!Array.isArray(history)) return history
  const start = history.length - HISTORY_LENGTH
  return history.map((entry, place) => (place < start ? { role: 'user', content: '' } : entry))
}

/** A question with its history. `history` may be of any length; only its end is used. */
export const chatSchema = z.object({
  message: z
    .string('Mensaje requerido')
    .min(1, 'Mensaje requerido')
    .max(MAX_TEXT, `El mensaje tiene más de ${MAX_TEXT} caracteres`)
    .regex(NUL, 'El mensaje tiene caracteres no válidos')
    .refine((message) => message.trim() !== '', 'Mensaje requerido'),
  history: z
    .preprocess(
      blankBeforeEnd,
      z
        .array(historyEntry)
        .nullable()
        .transform((entries) => entries ?? [])
        .meta({
          description: `Only the last ${HISTORY_LENGTH} entries are looked at, whatever stands before them; null is none`,
        }),
    )
    .default([]),
})
export type Chat = z.output<typeof chatSchema>

const usageSchema = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
})
/** The tokens of all calls of one reply. */
export type Usage = z.infer<typeof usageSchema>

const sourceSchema = z
  .object({
    type: z.enum(['customer', 'reservation', 'location', 'automation', 'campaign', 'segment']),
    id: z.string(),
    label: z.string(),
  })
  .meta({ id: 'AssistantSource', description: 'A record that the model looked up and its reply names.' })
export type Source = z.infer<typeof sourceSchema>

const replySchema = z.object({
  success: z.literal(true),
  content: z.string().meta({ description: 'Markdown' }),
  usage: usageSchema,
  sources: z.array(sourceSchema).max(50).optional(),
})
const fallbackSchema = z.object({
  success: z.literal(false),
  content: z.string(),
  fallback: z.literal(true),
})

export const answerSchema = z.union([replySchema, fallbackSchema])
/** A reply, or the hint that no model is configured. */
export type ChatAnswer = z.infer<typeof answerSchema>

/** The body of every failure after the input was accepted. */
export const failureOf = (message: string) => ({
  success: false as const,
  content: `❌ Error: ${message}`,
  error: true as const,
})
