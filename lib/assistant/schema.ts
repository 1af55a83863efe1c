import { z } from 'zod'
import { MAX_TEXT } from './limits'

const NUL = /^[^\0]*$/

/** What a person sends. `history` may be of any length; only its end is used. */
export const chatSchema = z.object({
  message: z
    .string('Mensaje requerido')
    .min(1, 'Mensaje requerido')
    .max(MAX_TEXT, `El mensaje tiene más de ${MAX_TEXT} caracteres`)
    .regex(NUL, 'El mensaje tiene caracteres no válidos')
    .refine((message) => message.trim() !== '', 'Mensaje requerido'),
  history: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        content: z.string().max(MAX_TEXT).regex(NUL, 'Invalid characters'),
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
/** Tokens over all calls that one reply took. */
export type Usage = z.infer<typeof usageSchema>

const sourceSchema = z
  .object({
    type: z.enum(['customer', 'reservation', 'location', 'automation']),
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
/** A reply, or that no model is configured. */
export type ChatAnswer = z.infer<typeof answerSchema>

/** The form of every failure after the input was accepted. */
export const failureOf = (message: string) => ({
  success: false as const,
  content: `❌ Error: ${message}`,
  error: true as const,
})
