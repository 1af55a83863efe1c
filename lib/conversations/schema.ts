import { z } from 'zod'
import { allergiesField } from '@/lib/customers/facts-schema'
import { requiredText } from '@/lib/http/fields'
import { storedInstant } from '@/lib/http/instant'
import { MESSAGE_STATUSES } from '@/lib/messaging/schema'
import { MAX_REPLY } from './limits'
import { MEDIA_KINDS } from './media'
import { REPLY_OBSTACLES } from './obstacles'

const nullable = z.string().nullable()
const channel = z.enum(['sms', 'whatsapp'])
const media = z
  .enum(MEDIA_KINDS)
  .nullable()
  .meta({ description: 'What came with the text, or instead of one; the file stays with the provider' })
const direction = z.enum(['in', 'out'])

const base = z.object({
  id: z.string(),
  customer_id: nullable.meta({ description: 'Null: a stranger, or it is not known which guest of a number' }),
  customer_name: nullable.meta({ description: 'The guest’s, else the one that they have in WhatsApp' }),
  allergies: allergiesField,
  channel,
  address: z.string().meta({ description: 'A number in E.164, or the id of a WhatsApp user without one' }),
  last_at: storedInstant,
  unread: z.int().meta({ description: 'The number of their unread texts' }),
  can_reply_until: storedInstant.nullable().meta({
    description: 'By WhatsApp, 24 hours after they last wrote; null by SMS: at any time',
  }),
})

export const conversationSchema = base
  .extend({
    last_text: nullable.meta({ description: 'The beginning of the last text, theirs or ours' }),
    last_media: media,
    last_direction: direction.nullable(),
  })
  .meta({
    id: 'Conversation',
    description: 'What a guest or a stranger writes by one channel, and our answers.',
  })
export type Conversation = z.infer<typeof conversationSchema>

export const conversationTextSchema = z
  .object({
    id: z.string(),
    direction,
    text: nullable,
    media,
    at: storedInstant,
    sent_by: nullable,
    ticket_id: nullable.meta({ description: 'The ticket that quotes it' }),
    status: z.enum(MESSAGE_STATUSES).nullable().meta({ description: 'Of ours: what became of it' }),
    reason: nullable.meta({ description: 'Why it was not sent: a code of the outbox' }),
    simulated: z.boolean(),
  })
  .meta({ id: 'ConversationText' })
export type ConversationText = z.infer<typeof conversationTextSchema>

export const conversationWithTexts = base
  .extend({
    reply_obstacle: z
      .enum(REPLY_OBSTACLES)
      .nullable()
      .meta({ description: 'Why nothing can be written back now; null: it can' }),
    texts: z.array(conversationTextSchema).meta({ description: 'The earliest first' }),
    earlier_cursor: nullable.meta({ description: 'The `cursor` for the texts before these' }),
  })
  .meta({ id: 'ConversationWithTexts' })
export type ConversationWithTexts = z.infer<typeof conversationWithTexts>

export const conversationReplyInput = z.strictObject({ text: requiredText(MAX_REPLY) })
export type ConversationReply = z.output<typeof conversationReplyInput>

export const conversationReplySchema = z.object({ id: z.string(), conversation_id: z.string(), channel })
