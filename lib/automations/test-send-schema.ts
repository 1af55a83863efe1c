import { z } from 'zod'
import { CHANNELS } from '@/lib/messaging/schema'

export const testSendInput = z.strictObject({
  channel: z.enum(CHANNELS).optional().meta({ description: 'The automation’s own when left out' }),
  recipient: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'A phone number for SMS and WhatsApp; an e-mail goes to who asks for it' }),
})
export type TestSendInput = z.infer<typeof testSendInput>

export const testSendSchema = z
  .object({
    channel: z.enum(CHANNELS),
    recipient: z.string(),
    status: z.enum(['sent', 'failed', 'unknown', 'skipped']),
    reason: z.string().nullable(),
    simulated: z.boolean().optional().meta({ description: 'The sandbox took it: it was sent nowhere' }),
  })
  .meta({ id: 'TestSend', description: 'What became of a test message; `reason` when it was not sent.' })
export type TestSend = z.infer<typeof testSendSchema>
