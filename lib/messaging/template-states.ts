import { z } from 'zod'

/** What WhatsApp says of a template; only an approved one is delivered. */
export const TEMPLATE_STATES = [
  'approved',
  'pending',
  'rejected',
  'paused',
  'disabled',
  'unsubmitted',
] as const

export const whatsAppTemplateSchema = z
  .object({
    sid: z.string(),
    name: z.string(),
    language: z.string(),
    state: z.enum(TEMPLATE_STATES),
    rejection_reason: z.string().nullable(),
    body: z.string(),
    variables: z.array(z.string()).meta({ description: 'The names of its variables: `1` for {{1}}' }),
  })
  .meta({ id: 'WhatsAppTemplate', description: 'A content template of the Twilio account.' })
export type WhatsAppTemplate = z.infer<typeof whatsAppTemplateSchema>
