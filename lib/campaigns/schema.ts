import { z } from 'zod'
import { liftSchema } from '@/lib/automations/lift-schema'
import {
  automationSchema,
  newAutomationSchema,
  previewSchema,
  resultsSchema,
  seed,
  storedSeed,
  testSendInput,
} from '@/lib/automations/schema'
import { brokenMark } from '@/lib/db/broken'
import { line } from '@/lib/http/fields'
import { storedInstant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { CHANNELS } from '@/lib/messaging/schema'
import { pageQuery } from '@/lib/openapi/common'
import { sendingCheckSchema } from '@/lib/sending-check/schema'
import {
  AFTER_DAYS,
  CAMPAIGN_STATUSES,
  EXCLUDE_RECENT_DAYS,
  MAX_STEPS,
  TEST_HOURS,
  TEST_SHARE,
  VARIANTS,
  WINNER_BY,
  WINNER_REASONS,
} from './limits'
import { versionOutcomesSchema } from './outcomes-schema'

const between = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)

/** A wall-clock time without a zone, to the minute. */
const wallClock = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:00(\.0+)?)?$/)
  .overwrite((value) => value.slice(0, 16))
  .refine((value) => z.iso.datetime({ local: true }).safeParse(`${value}:00`).success)
  .refine(
    (value) => value >= '2000' && value < '2200',
    problemAs('out_of_range', 'must be between 2000 and 2199', { minimum: 2000, maximum: 2199 }),
  )
  .meta({
    description:
      'YYYY-MM-DDTHH:MM, at each guest’s own location; null: as soon as it is launched (and approved)',
  })

const step = z.int().min(1).max(MAX_STEPS).meta({ description: '1: the first message; then the follow-ups' })
const variant = z.enum(VARIANTS)

const messageShape = {
  step,
  variant: variant.default('a').meta({ description: 'b: the other version of the first message' }),
  after_days: between(AFTER_DAYS).nullable().default(null).meta({
    description:
      'Of a follow-up: so many days after the message before it, to guests who have booked nothing since',
  }),
  ...newAutomationSchema.pick({
    channel: true,
    fallback_channel: true,
    subject: true,
    body: true,
    content_sid: true,
    content_variables: true,
    email_design: true,
    versions: true,
  }).shape,
}

const campaignMessageInput = z.strictObject(messageShape)
export type CampaignMessageInput = z.output<typeof campaignMessageInput>

const abTest = z
  .strictObject({
    test_share: between(TEST_SHARE).meta({
      description:
        'The per cent of the guests in the test, half for each version; at 100 there is no remainder',
    }),
    winner_by: z.enum(WINNER_BY),
    test_hours: between(TEST_HOURS).meta({
      description: 'So long after its last message the winner is chosen',
    }),
  })
  .meta({
    id: 'CampaignTest',
    description: 'Two versions of the first message; the remainder gets the winner.',
  })

const shape = {
  name: line(120),
  segment_id: z.guid().toLowerCase().nullable().default(null),
  location_ids: newAutomationSchema.shape.location_ids,
  starts_local: wallClock.nullable().default(null),
  exclude_recent_days: between(EXCLUDE_RECENT_DAYS).default(0).meta({
    description: 'Not to guests who had a marketing message in the last so many days; 0: whatever they had',
  }),
  control_share: newAutomationSchema.shape.control_share.unwrap().default(null),
  ab: abTest.nullable().default(null),
  messages: z
    .array(campaignMessageInput)
    .min(1)
    .max(MAX_STEPS + 1),
  seed,
}

interface Parts {
  ab?: unknown
  messages?: readonly Pick<CampaignMessageInput, 'step' | 'variant' | 'after_days'>[] | undefined
}

/** A first message, its version B with a test alone, and follow-ups without a gap, each with its days. */
const consistent = <S extends z.ZodType<Parts>>(schema: S) =>
  schema.superRefine(({ ab, messages }, { addIssue }) => {
    if (messages === undefined) return
    const refuse = (path: PropertyKey[], problem: ReturnType<typeof problemAs>) =>
      addIssue({ code: 'custom', path: ['messages', ...path], ...problem })
    const names = messages.map(({ step, variant }) => `${step}${variant}`)
    const steps = new Set(messages.map(({ step }) => step))
    if (new Set(names).size < names.length)
      refuse([], problemAs('not_unique', 'one message a step and version'))
    if (![...Array(steps.size).keys()].every((index) => names.includes(`${index + 1}a`)))
      refuse([], problemAs('invalid', 'steps from 1 without a gap, each with version a'))
    if (ab !== undefined && names.includes('1b') !== (ab !== null))
      refuse([], problemAs('invalid', 'version b goes with ab, and ab with version b'))
    for (const [index, message] of messages.entries()) {
      if (message.variant === 'b' && message.step > 1)
        refuse([index, 'variant'], problemAs('invalid', 'only the first message has versions'))
      if (message.step > 1 !== (message.after_days !== null))
        refuse([index, 'after_days'], problemAs('invalid', 'of follow-ups, and of these only'))
    }
  })

export const newCampaignSchema = consistent(z.strictObject(shape))
export type NewCampaign = z.output<typeof newCampaignSchema>

/** The fields to change, of the draft as it was at `version`. */
export const campaignPatchSchema = z
  .strictObject({
    name: shape.name,
    segment_id: shape.segment_id.unwrap(),
    location_ids: shape.location_ids.unwrap(),
    starts_local: shape.starts_local.unwrap(),
    exclude_recent_days: shape.exclude_recent_days.unwrap(),
    control_share: shape.control_share.unwrap(),
    ab: shape.ab.unwrap(),
    messages: shape.messages,
  })
  .partial()
  .extend({ version: z.int().min(1).max(1_000_000_000) })
export type CampaignPatch = Omit<z.output<typeof campaignPatchSchema>, 'version'>

const progress = z
  .object({
    processed: z.int(),
    sent: z.int(),
    skipped: z.int(),
    failed: z.int(),
    pending: z.int(),
    simulated: z.int(),
  })
  .meta({
    description:
      'processed = sent + skipped + failed + pending; `simulated` are those of `sent` that left nothing',
  })

const stored = {
  id: z.string(),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  reason: z.string().nullable().meta({
    description:
      'Why it is paused, or a draft again: audience_grew, segment_gone, segment_changed, no_provider, refused, expired, paused_by_hand, or a provider’s reason; nobody: finished without a guest to write to',
  }),
  version: z.int(),
  segment_id: z.string().nullable(),
  segment_name: z
    .string()
    .nullable()
    .meta({ description: 'null: it was deleted, the caller may not see it, or none is chosen yet' }),
  location_ids: z.array(z.string()),
  starts_local: z.string().nullable(),
  exclude_recent_days: z.int(),
  control_share: z.int().nullable(),
  ab: abTest.nullable(),
  guests: z.int().nullable().meta({
    description: 'To how many it would write when it was launched; of a draft when it was last previewed',
  }),
  mine: z.boolean().meta({ description: 'The caller launched it' }),
  can_approve: z.boolean(),
  created_by_name: z.string().nullable(),
  launched_by_name: z.string().nullable(),
  launched_at: storedInstant.nullable(),
  approved_by: z.string().nullable(),
  approved_at: storedInstant.nullable(),
  expires_at: storedInstant.nullable().meta({ description: 'Until then it waits for approval' }),
  paused_by: z.string().nullable(),
  stopped_by: z.string().nullable(),
  started_at: storedInstant.nullable(),
  finished_at: storedInstant.nullable(),
  winner: variant.nullable(),
  winner_reason: z.enum(WINNER_REASONS).nullable().meta({
    description: 'better: by a significant difference; unclear: ahead only; too_few figures to compare',
  }),
  progress,
  follow_ups: z.int().meta({ description: 'How many of `progress.sent` are follow-ups' }),
  created_at: storedInstant,
  updated_at: storedInstant,
  undo_until: storedInstant.nullable().meta({
    description: 'Of a large one that begins at once: no message leaves before, `unschedule` takes it back',
  }),
  broken: brokenMark,
}

/** A campaign in a list. */
export const campaignSummarySchema = z.object(stored).meta({
  id: 'CampaignSummary',
  description: 'A campaign without its messages.',
})
export type CampaignSummary = z.infer<typeof campaignSummarySchema>

export const storedMessage = z.object({
  id: z.string().meta({ description: 'The automation_id of its messages to guests' }),
  step: z.int(),
  variant,
  after_days: z.int().nullable(),
  channel: z.enum(CHANNELS),
  fallback_channel: z.enum(CHANNELS).nullable(),
  subject: z.string().nullable(),
  body: z.string(),
  content_sid: z.string().nullable(),
  content_variables: z.record(z.string(), z.string()),
  email_design: automationSchema.shape.email_design,
  versions: automationSchema.shape.versions,
  broken: brokenMark,
})
export type CampaignMessage = z.infer<typeof storedMessage>

export const campaignSchema = z.object({ ...stored, messages: z.array(storedMessage) }).meta({
  id: 'Campaign',
  description:
    'Writes once to the guests of a segment: a first message, and follow-ups to those who have not booked.',
})
export type Campaign = z.infer<typeof campaignSchema>

export const campaignsQuery = pageQuery.extend({ status: z.enum(CAMPAIGN_STATUSES).optional() })

/** A campaign as it stands in a form; with `id` a saved one with changes. */
export const campaignPreviewInput = consistent(
  z.strictObject({
    ...shape,
    name: shape.name.optional(),
    id: z.guid().toLowerCase().optional(),
    customer_id: z
      .uuid()
      .toLowerCase()
      .optional()
      .meta({ description: 'As which guest; else the first one' }),
    language: testSendInput.shape.language,
  }),
)
export type CampaignPreviewInput = z.output<typeof campaignPreviewInput>

const rendered = z.object({
  step: z.int(),
  variant,
  gets: z.boolean().meta({
    description:
      'Whether this guest would get this message; of the remainder both versions, as one of them wins',
  }),
  channel: z.enum(CHANNELS),
  subject: z.string().nullable(),
  body: z.string().nullable(),
  html: z.string().nullable().meta({ description: 'Of an e-mail' }),
  content_sid: z.string().nullable(),
  content_variables: z.record(z.string(), z.string()),
  goes_at: storedInstant.nullable().meta({ description: 'At the earliest; null: it is not planned' }),
})

export const campaignPreviewSchema = z
  .object({
    matched: z.int().meta({ description: 'Guests of the segment, at the locations' }),
    to_send: z.int().meta({ description: 'To launch it, send this number as `guests`' }),
    held_by_quiet_hours: z.int(),
    control: z.int(),
    skipped: previewSchema.shape.skipped.extend({ recently_written: z.int() }),
    variants: z
      .object({ a: z.int(), b: z.int(), rest: z.int() })
      .meta({ description: 'Of those to send: the version they get; `rest` gets the winner' }),
    starts_at: storedInstant.nullable().meta({ description: 'When the first message may go' }),
    approve_above: z.int().nullable(),
    needs_approval: z.boolean(),
    asks_again: z.boolean().meta({
      description:
        'It is large: the page asks a second time, and `undo_until` gives a minute to take it back',
    }),
    seed: storedSeed,
    guest: z
      .object({
        customer_id: z.string(),
        customer_name: z.string().nullable(),
        reason: z.string().nullable().meta({
          description:
            'Why this guest gets nothing: a reason of `skipped`, not_in_segment, other_location or already_written; null: the guest gets it',
        }),
        group: z.enum(['a', 'b', 'rest', 'control']).nullable(),
        messages: z.array(rendered),
      })
      .nullable(),
    check: sendingCheckSchema,
  })
  .meta({
    id: 'CampaignPreview',
    description: 'What the campaign would do now: counts, and its messages as one guest would get them.',
  })
export type CampaignPreview = z.infer<typeof campaignPreviewSchema>

export const decisionInput = z.strictObject({
  guests: z.int().min(0).max(2_147_483_647).meta({ description: 'The number of guests the person saw' }),
  version: z.int().min(1).max(1_000_000_000).meta({ description: 'The version the person saw' }),
})
export type Decision = z.output<typeof decisionInput>

export const campaignTestInput = testSendInput.extend({ step, variant: variant.default('a') })
export type CampaignTestInput = z.output<typeof campaignTestInput>

const versionResult = z.object({
  variant,
  guests: z.int().meta({ description: 'Guests of the test who were written to' }),
  booked: z.int().meta({ description: 'Of these, who booked a visit afterwards' }),
  clicked: z.int().nullable(),
})

export const campaignResultsSchema = z
  .object({
    messages: z.array(
      storedMessage.pick({ id: true, step: true, variant: true, channel: true }).extend({
        progress,
        delivered: z.int(),
        left_out: z.array(
          z.object({
            status: z.enum(['skipped', 'failed', 'unknown']),
            reason: z.string().nullable(),
            messages: z.int(),
          }),
        ),
      }),
    ),
    versions: z.array(versionOutcomesSchema),
    attributed: resultsSchema.pick({
      reservations: true,
      covers: true,
      revenue: true,
      estimated_revenue: true,
    }),
    ab: z
      .object({
        winner_by: z.enum(WINNER_BY),
        decides_at: storedInstant
          .nullable()
          .meta({ description: 'When the winner is chosen; null: its messages are not sent yet' }),
        winner: variant.nullable(),
        winner_reason: z.enum(WINNER_REASONS).nullable(),
        versions: z.array(versionResult),
        known: z.enum(WINNER_REASONS).meta({
          description: 'Whether the versions differ by what is known now; better: the interval excludes 0',
        }),
        ahead: variant.nullable().meta({ description: 'Which has the higher share now; null: equal' }),
        difference: z
          .object({ per_thousand: z.number(), low: z.number(), high: z.number() })
          .nullable()
          .meta({
            description:
              'B less A, per 1,000 guests, with the interval that holds in 95 % of comparisons, however often one looks',
          }),
      })
      .nullable(),
    lift: liftSchema,
  })
  .meta({
    id: 'CampaignResults',
    description:
      'What a campaign did: its messages, what guests did with each version, its lift over the control group, the reservations within 30 days after a guest’s last marketing message that are credited to it, and how the versions compare.',
  })
export type CampaignResults = z.infer<typeof campaignResultsSchema>
