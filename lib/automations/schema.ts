import { z } from 'zod'
import { brokenMark } from '@/lib/db/broken'
import { emailDesignSchema, storedDesign } from '@/lib/email-design/schema'
import { text } from '@/lib/http/fields'
import { storedInstant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { anyText, loadedValues } from '@/lib/http/loaded'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { byPlanReason } from '@/lib/messaging/reasons'
import { CHANNELS } from '@/lib/messaging/schema'
import { CONTROL_SHARE } from '@/lib/organization/limits'
import { sendingCheckSchema } from '@/lib/sending-check/schema'
import { AUTOMATION_TYPES } from './types'

export const AUTOMATION_STATUSES = ['active', 'inactive'] as const

const unique = <T>(values: T[]) => [...new Set(values)]
const ids = z.array(z.guid().toLowerCase()).max(200).overwrite(unique)

const fields = {
  name: text(120).min(1),
  type: z.enum(AUTOMATION_TYPES),
  channel: z.enum(CHANNELS),
  fallback_channel: z.enum(CHANNELS).nullable(),
  status: z.enum(AUTOMATION_STATUSES),
  subject: text(300).nullable(),
  body: z.string().max(10_000),
  content_sid: z
    .string()
    .regex(/^HX[0-9a-fA-F]{32}$/, 'must be a Content SID (HX…)')
    .nullable(),
  content_variables: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_]{0,39}$/), z.string().max(1000))
    .refine(
      (variables) => Object.keys(variables).length <= 50,
      problemAs('too_many', 'at most 50', { maximum: 50 }),
    ),
  email_design: emailDesignSchema.nullable().meta({
    description: 'The e-mail as blocks; null: `body` is the e-mail',
  }),
  criteria: z.record(z.string().max(60), z.unknown()),
  location_ids: ids,
  tags: z.array(text(60).min(1)).max(50).overwrite(unique),
  tier_ids: ids,
  control_share: z.int().min(CONTROL_SHARE.min).max(CONTROL_SHARE.max).nullable().meta({
    description:
      'The control group: the per cent of its guests, drawn at random, that get no message; null: the organization’s share',
  }),
}

const language = z.enum(GUEST_LANGUAGES)

/** A message in a further language. */
const version = z
  .strictObject({
    language,
    subject: fields.subject.default(null),
    body: fields.body.default(''),
    email_design: fields.email_design.default(null),
  })
  .meta({ id: 'MessageVersion', description: 'The message in a further language' })

const versions = z
  .array(version)
  .max(GUEST_LANGUAGES.length)
  .refine(
    (all) => new Set(all.map((one) => one.language)).size === all.length,
    problemAs('not_unique', 'one version a language'),
  )
  .meta({
    description: 'A guest gets that of their language, else the message itself, in the group’s language',
  })

const storedVersions = z.array(
  version.extend({
    subject: z.string().nullable(),
    body: z.string(),
    email_design: storedDesign.nullable().meta({ description: 'An EmailDesign, or null' }),
  }),
)

/** Of a preview or a test: in the version of this language, whoever the guest is. */
const asLanguage = language.optional().meta({ description: 'As for a guest of this language' })

/** Of a form: what draws its control group and versions, so that the numbers of a preview are those after saving. */
export const seed = z
  .guid()
  .toLowerCase()
  .optional()
  .meta({ description: 'That of the form’s first preview: the numbers it gave stay the same' })

export const newAutomationSchema = z.strictObject({
  ...fields,
  seed,
  fallback_channel: fields.fallback_channel.default(null),
  status: fields.status.default('inactive'),
  subject: fields.subject.default(null),
  body: fields.body.default(''),
  content_sid: fields.content_sid.default(null),
  content_variables: fields.content_variables.default({}),
  email_design: fields.email_design.default(null),
  versions: versions.default([]),
  criteria: fields.criteria.default({}),
  location_ids: fields.location_ids.default([]),
  tags: fields.tags.default([]),
  tier_ids: fields.tier_ids.default([]),
  control_share: fields.control_share.default(0),
})
export type NewAutomation = z.output<typeof newAutomationSchema>

/** Criteria given are complete: what is left out takes its default. A new type without criteria takes all. */
export const automationPatchSchema = z
  .strictObject({
    ...fields,
    versions,
    loaded: loadedValues({
      name: anyText,
      type: anyText,
      channel: anyText,
      fallback_channel: anyText,
      status: anyText,
      subject: anyText,
      body: anyText,
      content_sid: anyText,
      content_variables: z.record(z.string(), z.string()),
      email_design: z.record(z.string(), z.unknown()).nullable(),
      versions: z.array(z.record(z.string(), z.unknown())).max(100),
      criteria: z.record(z.string(), z.unknown()),
      location_ids: z.array(z.string()).max(1000),
      tags: z.array(z.string()).max(1000),
      tier_ids: z.array(z.string()).max(1000),
      control_share: z.number().nullable(),
    }),
  })
  .partial()
/** The fields to change, without what they were. */
export type AutomationPatch = Omit<z.output<typeof automationPatchSchema>, 'loaded'>

export const automationSchema = z
  .object({
    id: z.string(),
    ...fields,
    name: z.string(),
    subject: z.string().nullable(),
    body: z.string(),
    content_sid: z.string().nullable(),
    content_variables: z.record(z.string(), z.string()),
    email_design: storedDesign.nullable().meta({ description: 'An EmailDesign, or null' }),
    versions: storedVersions,
    criteria: z.record(z.string(), z.unknown()),
    location_ids: z.array(z.string()),
    tags: z.array(z.string()),
    tier_ids: z.array(z.string()),
    created_at: storedInstant,
    updated_at: storedInstant,
    broken: brokenMark,
  })
  .meta({
    id: 'Automation',
    description: 'A message that goes out by itself. subject, body and content_variables are Liquid.',
  })
export type Automation = z.infer<typeof automationSchema>

export const AUTOMATION_COLUMNS =
  'id, name, type, channel, fallback_channel, status, subject, body, content_sid, content_variables, email_design, versions, criteria, ' +
  'location_ids, tags, tier_ids, control_share, created_at, updated_at'

/** How a run stands; the last three are over, with what was queued written off. */
export const RUN_STATUSES = [
  'running',
  'paused',
  'finished',
  'waiting_approval',
  'refused',
  'expired',
  'stopped',
] as const

export const runSchema = z
  .object({
    id: z.string(),
    automation_id: z.string(),
    automation_name: z.string(),
    triggered_by: z.enum(['manual', 'schedule']),
    status: z.enum(RUN_STATUSES).meta({
      description:
        'waiting_approval: a second person has to approve it until `expires_at`; refused, expired, stopped: what was queued is written off',
    }),
    reason: z.string().nullable(),
    processed: z.int(),
    sent: z.int(),
    skipped: z.int(),
    failed: z.int(),
    pending: z.int(),
    simulated: z.int(),
    started_by: z.string().nullable().meta({ description: 'The person who ran it by hand' }),
    started_by_name: z.string().nullable(),
    guests: z.int().nullable().meta({ description: 'How many it writes to, where that decides on approval' }),
    expires_at: storedInstant.nullable(),
    decided_by: z.string().nullable().meta({ description: 'Who approved or refused it' }),
    decided_at: storedInstant.nullable(),
    stopped_by: z.string().nullable(),
    stopped_at: storedInstant.nullable(),
    started_at: storedInstant,
    finished_at: storedInstant.nullable(),
  })
  .meta({
    id: 'AutomationRun',
    description:
      'processed = sent + skipped + failed + pending; `simulated` are those of the sent ones that the sandbox took.',
  })
export type AutomationRun = z.infer<typeof runSchema>

/** The seed that a preview used. */
export const storedSeed = z
  .string()
  .nullable()
  .meta({ description: 'To send with the next previews and when saving; null: it is saved already' })

export const previewSchema = z
  .object({
    matched: z.int(),
    to_send: z.int(),
    /** Of those to send. */
    held_by_quiet_hours: z.int(),
    skipped: z.object(byPlanReason(z.int())),
    sample: z
      .object({
        customer_id: z.string(),
        customer_name: z.string().nullable(),
        channel: z.enum(CHANNELS),
        subject: z.string().nullable(),
        body: z.string().nullable(),
        html: z.string().nullable().meta({ description: 'Of an e-mail' }),
        content_sid: z.string().nullable(),
        content_variables: z.record(z.string(), z.string()),
      })
      .nullable(),
    check: sendingCheckSchema,
    seed: storedSeed,
  })
  .meta({
    id: 'AutomationPreview',
    description: 'What a run would do now: counts, and the message as one customer would get it.',
  })
export type AutomationPreview = z.infer<typeof previewSchema>

/** To so many colleagues a test goes at once. */
const MAX_COLLEAGUES = 5

export const testSendInput = z.strictObject({
  channel: z.enum(CHANNELS).optional().meta({ description: 'The automation’s own when left out' }),
  recipient: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'A phone number for SMS and WhatsApp; an e-mail goes to who asks for it' }),
  to: z
    .array(z.string().max(254))
    .min(1)
    .max(MAX_COLLEAGUES)
    .optional()
    .meta({ description: 'Addresses of colleagues an e-mail goes to, in place of who asks' }),
  customer_id: z
    .guid()
    .toLowerCase()
    .optional()
    .meta({ description: 'As this guest would get it; else as an example of its guests' }),
  language: asLanguage,
})
export type TestSendInput = z.infer<typeof testSendInput>

const testOutcome = z.object({
  recipient: z.string(),
  status: z.enum(['sent', 'failed', 'unknown', 'skipped']),
  reason: z.string().nullable(),
  simulated: z.boolean().optional().meta({ description: 'The sandbox took it: it was sent nowhere' }),
})

export const testSendSchema = testOutcome
  .extend({
    channel: z.enum(CHANNELS),
    others: z.array(testOutcome).optional().meta({ description: 'What became of it for the others of `to`' }),
  })
  .meta({ id: 'TestSend', description: 'What became of a test message; `reason` when it was not sent.' })
export type TestSend = z.infer<typeof testSendSchema>

const id = z.guid().toLowerCase().optional().meta({ description: 'The automation these are changes to' })

/** An automation as it stands in a form: not saved, without a name yet, perhaps not complete. */
export const draftSchema = newAutomationSchema
  .omit({ name: true, status: true })
  .extend({ id, language: asLanguage })
export type AutomationDraft = z.output<typeof draftSchema>

export const draftTestInput = testSendInput.extend({ automation: draftSchema })

export const resultsSchema = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    messages: z.object({
      total: z.int(),
      /** Delivered ones included. */
      sent: z.int(),
      delivered: z.int(),
      /** Those of the sent ones that the sandbox took. */
      simulated: z.int(),
      skipped: z.int(),
      /** Those with an unknown outcome included. */
      failed: z.int(),
      pending: z.int(),
      /** Those of the sent ones that are e-mails. */
      emails: z.int(),
      opened: z.int().meta({ description: 'E-mails that a person opened or clicked for certain' }),
      maybe_opened: z.int().meta({
        description:
          '`opened`, plus the e-mails of which it is not known whether a person or a privacy proxy opened them',
      }),
      clicked: z.int().meta({
        description:
          'E-mails in which a person clicked a link; scanners, and the unsubscribe link, do not count',
      }),
    }),
    reservations: z.int(),
    covers: z.int(),
    revenue: z.number(),
    estimated_revenue: z
      .number()
      .meta({ description: 'The part of `revenue` that is guests × average spend, for want of an amount' }),
    links: z.array(z.object({ link: z.string(), clicked: z.int() })).meta({
      description:
        'The 20 most clicked links, each with the number of e-mails in which a person clicked it: an address without its ' +
        'query, `unsubscribe` or `feedback`',
    }),
  })
  .meta({
    id: 'AutomationResults',
    description:
      'Reservations made within 30 days after a customer’s last marketing message, credited to that message; cancelled ' +
      'ones and no-shows are left out. Revenue (EUR) is that of those that became visits.',
  })
export type AutomationResults = z.infer<typeof resultsSchema>

export const resultsQuery = z.object({
  days: z.coerce.number().int().min(1).max(365).default(90).meta({ description: 'Messages of so many days' }),
})

export const sendingSchema = z
  .object({ stopped_at: storedInstant.nullable(), stopped_by: z.string().nullable() })
  .meta({
    id: 'Sending',
    description: 'Since when, and by whom, all that automations send is stopped; null: it is not.',
  })
export type Sending = z.infer<typeof sendingSchema>

const detailSchema = z.object({
  automationId: z.string(),
  automationName: z.string(),
  success: z.boolean(),
  processed: z.int(),
  sent: z.int(),
  skipped: z.int(),
  failed: z.int(),
})
export type Detail = z.infer<typeof detailSchema>

/** The answer of the automations job, to the contract's letter. */
export const automationsJobSchema = z.object({
  success: z.literal(true),
  timestamp: z.iso.datetime(),
  total: z.int(),
  executed: z.int(),
  failed: z.int(),
  statistics: z.object({
    totalProcessed: z.int(),
    totalSent: z.int(),
    totalSkipped: z.int(),
    totalFailed: z.int(),
  }),
  details: z.array(detailSchema),
  skipped: z.literal(true).optional(),
})
export type AutomationsAnswer = z.infer<typeof automationsJobSchema>
