import { z } from 'zod'
import { phoneField } from '@/lib/contact/fields'
import { blankable, line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { confirmField } from '@/lib/reservations/schema'

export const waitingSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    phone: z.string().nullable(),
    readable_phone: z.string().nullable().meta({ description: 'The phone with the spacing of its country' }),
    party_size: z.int(),
    quoted_minutes: z.int().nullable().meta({ description: 'How long they were told it would take' }),
    notes: z.string().nullable(),
    joined_at: instant,
    called_at: instant.nullable(),
    message: z
      .object({
        channel: z.string(),
        status: z.string(),
        reason: z.string().nullable(),
        simulated: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The message that called them; null before, and for those called by voice' }),
    offer: z
      .object({
        table_name: z.string(),
        tables: z.array(z.string()),
        at: instant.meta({ description: 'From when the table is free' }),
        expires_at: instant,
        outcome: z.enum(['accepted', 'declined', 'expired', 'gone']).nullable(),
      })
      .nullable()
      .meta({ description: 'The freed table last offered to them by message; `outcome` null: it is held' }),
  })
  .meta({ id: 'WaitingParty' })
/** A party that waits for a table. */
export type WaitingParty = z.infer<typeof waitingSchema>

/** What is said of a party that begins to wait. */
export const waitingFields = {
  name: line(200),
  phone: phoneField.optional(),
  party_size: z.int().min(1).max(100),
  quoted_minutes: z.int().min(0).max(600).nullable().optional(),
  notes: blankable(line(500)).optional(),
}
export const newWaitingSchema = z.strictObject({
  location_id: z.guid(),
  key: z.guid().optional().meta({
    description:
      'Made by the client, and becomes the id: what comes again with its key, here or as a tap, counts once',
  }),
  ...waitingFields,
})
export type NewWaiting = z.infer<typeof newWaitingSchema>

export const waitingActionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('call') }),
  z.strictObject({ action: z.literal('seat'), table_name: line(100).optional(), confirm: confirmField }),
  z.strictObject({ action: z.literal('leave') }),
  z.strictObject({ action: z.literal('return') }),
])
export type WaitingAction = z.infer<typeof waitingActionSchema>

export const waitingAnswerSchema = z.object({
  id: z.string(),
  reservation_id: z.string().nullable().meta({ description: 'Of a party that was seated: its walk-in' }),
  channel: z.string().nullable().meta({ description: 'Of a party that was called: by what; null: by voice' }),
})
export type WaitingAnswer = z.infer<typeof waitingAnswerSchema>
