import { z } from 'zod'
import { storedInstant } from '@/lib/http/instant'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { CHANNELS, MESSAGE_STATUSES } from '@/lib/messaging/schema'
import { pageQuery } from '@/lib/openapi/common'
import { MAX_STEPS, RECIPIENT_OUTCOMES, VARIANTS } from './limits'

const variant = z.enum(VARIANTS)

/** What became of the messages of a version. */
export const versionOutcomesSchema = z
  .object({
    variant,
    sent: z.int().meta({ description: 'Accepted by the provider and not bounced; `simulated` among them' }),
    delivered: z.int(),
    opened: z.int().meta({
      description: 'E-mails that somebody opened, privacy proxies and scanners apart; a click proves it',
    }),
    clicked: z.int().meta({ description: 'E-mails with a click by a person, not on the unsubscribe link' }),
    unsubscribed: z.int().meta({ description: 'By the link of the message, or by an answer to it' }),
    complained: z.int(),
    bounced: z.int(),
    failed: z.int().meta({ description: 'For another reason than a bounce, or with an unknown outcome' }),
    simulated: z.int(),
    links: z
      .array(z.object({ url: z.string(), clicks: z.int(), guests: z.int() }))
      .meta({ description: 'Without their queries; the 50 that most guests clicked' }),
  })
  .meta({
    id: 'CampaignVersion',
    description:
      'Messages, first ones and follow-ups, of the guests who got this version. A guest with two messages counts in each.',
  })
export type VersionOutcomes = z.infer<typeof versionOutcomesSchema>

const outcome = z.enum(RECIPIENT_OUTCOMES)

/** A message of a campaign, with its guest. */
export const recipientSchema = z
  .object({
    id: z.string().meta({ description: 'The message' }),
    customer_id: z.string().nullable().meta({ description: 'null: the guest was erased' }),
    customer_name: z.string().nullable(),
    step: z.int(),
    variant: variant.meta({ description: 'The version that the guest got first' }),
    channel: z.enum(CHANNELS),
    status: z.enum(MESSAGE_STATUSES),
    reason: z.string().nullable(),
    created_at: storedInstant,
    sent_at: storedInstant.nullable(),
    opened: z.boolean(),
    clicked: z.boolean(),
    unsubscribed: z.boolean(),
    outcome: outcome.meta({
      description:
        'The furthest it came: complained, else unsubscribed, clicked, opened, simulated, delivered, sent; of those that never arrived bounced, failed, skipped or pending',
    }),
  })
  .meta({ id: 'CampaignRecipient' })
export type CampaignRecipient = z.infer<typeof recipientSchema>

/** Of a page of recipients, or of the file. */
export const recipientsQuery = pageQuery.extend({
  outcome: outcome.optional().meta({
    description:
      'Messages of which this is true, as `versions` counts them, whatever else is: who clicked has also opened, and is in both',
  }),
  format: z.enum(['json', 'csv']).default('json').meta({
    description: 'csv: all of them as a file, without `cursor` and `limit`; it takes access to customers',
  }),
  language: z.enum(['es', 'en']).default('es').meta({
    description: 'Of the first line and the words of the file; in Spanish it has semicolons',
  }),
})

export const sentQuery = z.object({
  variant: variant.default('a').meta({ description: 'Of a first message' }),
  step: z.coerce.number().int().min(1).max(MAX_STEPS).default(1),
  language: z.enum(GUEST_LANGUAGES).optional().meta({
    description: 'Where the message has no version in it, its own text',
  }),
})

/** A message as it was sent, to an example guest. */
export const sentMessageSchema = z
  .object({
    step: z.int(),
    variant,
    language: z.enum(GUEST_LANGUAGES).meta({ description: 'In which this text is' }),
    channel: z.enum(CHANNELS),
    subject: z.string().nullable(),
    html: z.string().nullable().meta({ description: 'Of an e-mail' }),
    text: z.string().nullable(),
    content_sid: z.string().nullable().meta({ description: 'The WhatsApp template, whose text Twilio has' }),
    content_variables: z.record(z.string(), z.string()),
  })
  .meta({
    id: 'SentMessage',
    description:
      'The message as it was approved, rendered for an example guest: its unsubscribe link leads nowhere.',
  })
export type SentMessage = z.infer<typeof sentMessageSchema>
