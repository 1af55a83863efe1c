import { z } from 'zod'
import { storedInstant } from '@/lib/http/instant'
import { CHANNELS } from '@/lib/messaging/schema'
import { pageQuery } from '@/lib/openapi/common'
import { AUTOMATION_TYPES } from './types'

export const AUTOMATION_STATUSES = ['active', 'inactive'] as const

const unique = <T>(values: T[]) => [...new Set(values)]
const ids = z.array(z.uuid().toLowerCase()).max(200).overwrite(unique)

const fields = {
  name: z.string().max(120).trim().min(1),
  type: z.enum(AUTOMATION_TYPES),
  channel: z.enum(CHANNELS),
  fallback_channel: z.enum(CHANNELS).nullable(),
  status: z.enum(AUTOMATION_STATUSES),
  subject: z.string().max(300).nullable(),
  body: z.string().max(10_000),
  content_sid: z
    .string()
    .regex(/^HX[0-9a-fA-F]{32}$/, 'must be a Content SID (HX…)')
    .nullable(),
  content_variables: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_]{0,39}$/), z.string().max(1000))
    .refine((variables) => Object.keys(variables).length <= 50, 'at most 50'),
  criteria: z.record(z.string().max(60), z.unknown()),
  location_ids: ids,
  tags: z.array(z.string().max(60).trim().min(1)).max(50).overwrite(unique),
  tier_ids: ids,
}

/** What narrows the list; each filter must hold. */
export const listQuery = pageQuery.extend({
  type: fields.type.optional(),
  status: fields.status.optional(),
})

export const newAutomationSchema = z.strictObject({
  ...fields,
  fallback_channel: fields.fallback_channel.default(null),
  status: fields.status.default('inactive'),
  subject: fields.subject.default(null),
  body: fields.body.default(''),
  content_sid: fields.content_sid.default(null),
  content_variables: fields.content_variables.default({}),
  criteria: fields.criteria.default({}),
  location_ids: fields.location_ids.default([]),
  tags: fields.tags.default([]),
  tier_ids: fields.tier_ids.default([]),
})
export type NewAutomation = z.output<typeof newAutomationSchema>

/** Criteria given are complete: what is left out takes its default. A new type without criteria takes all. */
export const automationPatchSchema = z.strictObject(fields).partial()
export type AutomationPatch = z.output<typeof automationPatchSchema>

export const automationSchema = z
  .object({
    id: z.string(),
    ...fields,
    name: z.string(),
    subject: z.string().nullable(),
    body: z.string(),
    content_sid: z.string().nullable(),
    content_variables: z.record(z.string(), z.string()),
    criteria: z.record(z.string(), z.unknown()),
    location_ids: z.array(z.string()),
    tags: z.array(z.string()),
    tier_ids: z.array(z.string()),
    created_at: storedInstant,
    updated_at: storedInstant,
  })
  .meta({
    id: 'Automation',
    description: 'A message that goes out by itself. subject, body and content_variables are Liquid.',
  })
export type Automation = z.infer<typeof automationSchema>

export const AUTOMATION_COLUMNS =
  'id, name, type, channel, fallback_channel, status, subject, body, content_sid, content_variables, criteria, ' +
  'location_ids, tags, tier_ids, created_at, updated_at'

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

export const previewSchema = z
  .object({
    matched: z.int(),
    to_send: z.int(),
    /** Of those to send. */
    held_by_quiet_hours: z.int(),
    skipped: z.object({
      no_address: z.int(),
      suppressed: z.int(),
      /** Nothing on record says that marketing may write to them by the channel. */
      no_consent: z.int(),
      /** WhatsApp without a Content SID, to somebody who has not written within 24 hours. */
      needs_template: z.int(),
      no_provider: z.int(),
      /** Marketing by e-mail without a public address: it would have no unsubscribe link. */
      no_app_url: z.int(),
      frequency_cap: z.int(),
      duplicate: z.int(),
    }),
    sample: z
      .object({
        customer_id: z.string(),
        customer_name: z.string().nullable(),
        channel: z.enum(CHANNELS),
        subject: z.string().nullable(),
        body: z.string().nullable(),
        content_sid: z.string().nullable(),
        content_variables: z.record(z.string(), z.string()),
      })
      .nullable(),
  })
  .meta({
    id: 'AutomationPreview',
    description: 'What a run would do now: counts, and the message as one customer would get it.',
  })
export type AutomationPreview = z.infer<typeof previewSchema>
