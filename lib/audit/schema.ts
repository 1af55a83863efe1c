import { z } from 'zod'
import { brokenMark } from '@/lib/db/broken'
import { storedInstant } from '@/lib/http/instant'

/** The kinds of records in the audit log, in the page's order. */
export const AUDIT_KINDS = [
  'session',
  'member',
  'invitation',
  'api_token',
  'organization',
  'brand',
  'location',
  'integration',
  'automation',
  'campaign',
  'recipients',
  'message',
  'sending',
  'loyalty',
  'loyalty_rules',
  'loyalty_config',
  'loyalty_tier',
  'customer',
  'customers',
  'segment',
  'email_look',
  'email_image',
  'email_template',
  'reservation',
  'reservations',
  'shift_note',
  'import',
  'job',
  'ticket',
  'feedback',
  'conversation',
  'calendar_event',
  'audit_log',
] as const

const side = z.record(z.string(), z.unknown()).nullable()

/** A line of the audit log. */
export const auditLineSchema = z
  .object({
    id: z.string(),
    at: storedInstant,
    actor: z.string().meta({
      description:
        'Name and e-mail as they were; `system` for jobs and webhooks, `database` for work on it directly, `guest` for what a guest chose on their page',
    }),
    action: z.string(),
    subject_type: z.string(),
    subject_id: z.string(),
    subject: z.string().optional().meta({ description: 'Of an integration its type: `twilio`' }),
    before: side,
    after: side.meta({ description: 'Of customers the names of the fields, never what they hold' }),
    broken: brokenMark,
  })
  .meta({ id: 'AuditLine' })

/** A line with the record's name at the time, for the page and the file. */
export const namedLineSchema = auditLineSchema.extend({ subject: z.string().nullable() })

export type NamedLine = z.infer<typeof namedLineSchema>
