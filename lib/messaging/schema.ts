import { z } from 'zod'
import { storedInstant } from '@/lib/http/instant'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'
import { CHANNELS, type Channel } from './channels'

export { CHANNELS, type Channel }

/** An address of an organization's customer or member, with its channel. */
export interface Recipient {
  organizationId: string
  channel: Channel
  /** E-mail in lower case, phone in E.164, or the id of a WhatsApp user without a visible number. */
  address: string
}

export const MESSAGE_KINDS = ['marketing', 'transactional', 'notification'] as const

export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'failed',
  'skipped',
  'unknown',
] as const

/** The content to send: e-mail has subject and body, SMS a body, WhatsApp a body or a Twilio template. */
export interface Content {
  subject?: string
  body?: string
  content_sid?: string
  content_variables?: Record<string, string>
  /** The HTML of an e-mail with a design; `body` is its plain text. */
  html?: string
  /** Who sends an e-mail, where its brand says so; null: as the integration. */
  from?: { name: string | null; email: string | null; reply_to: string | null }
  /** An e-mail's further headers, such as List-Unsubscribe. */
  headers?: Record<string, string>
  /** The reservation as worded in the message: a guest's answer refers to this state. */
  about?: { date: string; time: string | null; party_size: number | null }
  /** The message is not sent after this instant. */
  expires_at?: string
  /** In which it is written: the words that are ours follow it. Absent: Spanish. */
  language?: GuestLanguage
}

const blocks = z.record(z.string(), z.unknown()).nullable().default(null)

export const templateSchema = z.object({
  id: z.string(),
  subject: z.string().nullable(),
  body: z.string(),
  content_sid: z.string().nullable(),
  content_variables: z.record(z.string(), z.string()),
  /** The last line of an SMS or free WhatsApp text: how to answer. Null where answers are not read. */
  question: z.string().nullable().default(null),
  /** The blocks of an e-mail (lib/email-design/schema.ts); null: `body` is the e-mail. */
  email_design: blocks,
  /** The message in further languages (spoken.ts); null: they cannot be read any more, and nothing is sent. */
  versions: z
    .array(
      z.object({
        language: z.enum(GUEST_LANGUAGES),
        subject: z.string().nullable().default(null),
        body: z.string().default(''),
        email_design: blocks,
      }),
    )
    .nullable()
    .catch(null)
    .default([]),
  /** The look of the brand (lib/email-design/look.ts). */
  email_look: z.record(z.string(), z.unknown()).nullable().default(null),
})
/** An automation's template: Liquid in subject, body, question, email_design and the values of content_variables. */
export type Template = z.infer<typeof templateSchema>

export const factsSchema = z.object({
  organization_name: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  birth_date: z.string().nullable(),
  total_visits: z.number().nullable(),
  last_visit: z.string().nullable(),
  tier: z.string().nullable(),
  location_name: z.string().nullable(),
  reservation_date: z.string().nullable(),
  reservation_time: z.string().nullable(),
  party_size: z.number().nullable(),
  language: z.enum(GUEST_LANGUAGES).nullish(),
  group_language: z.enum(GUEST_LANGUAGES).optional(),
})
/** The data of a message's customer for its variables; dates as YYYY-MM-DD. */
export type Facts = z.infer<typeof factsSchema>

export const SUPPRESSION_REASONS = ['unsubscribe', 'stop', 'bounce', 'complaint', 'manual'] as const

/** What stands behind a reason, or behind a wait. */
const messageDetail = z.object({
  suppression: z.enum(SUPPRESSION_REASONS).optional().meta({ description: 'Why the address is suppressed' }),
  opt_out: z
    .enum(SUPPRESSION_REASONS)
    .optional()
    .meta({ description: 'The opt-out of an address that bounces, too' }),
  message: z.string().optional().meta({ description: 'The message that fills the frequency cap' }),
  until: storedInstant.optional().meta({ description: 'It waits for this end of the quiet hours' }),
  location: z
    .string()
    .optional()
    .meta({ description: 'Whose own quiet hours they are; absent: the group’s' }),
})

export const messageSchema = z
  .object({
    id: z.string(),
    automation_id: z.string().nullable(),
    run_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    channel: z.enum(CHANNELS),
    recipient: z.string().nullable(),
    status: z.enum(MESSAGE_STATUSES),
    reason: z.string().nullable(),
    detail: messageDetail.nullable(),
    simulated: z.boolean(),
    created_at: storedInstant,
    sent_at: storedInstant.nullable(),
  })
  .meta({
    id: 'Message',
    description:
      'A message to a customer; `reason` says why it was skipped or failed. `simulated`: the sandbox took it, it was sent nowhere.',
  })
export type Message = z.infer<typeof messageSchema>
