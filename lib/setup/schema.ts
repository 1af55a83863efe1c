import { z } from 'zod'
import { newPassword } from '@/lib/auth/schema'
import { blankable, emailAddress, line } from '@/lib/http/fields'
import { TEST_KINDS } from '@/lib/integrations/schema'
import { WEBHOOK_TYPES, type WebhookType } from '@/lib/integrations/types'
import { timezone } from '@/lib/locations/timezone'

export const setupSchema = z.strictObject({
  token: z.string().max(200).meta({ description: 'SETUP_TOKEN of the deployment' }),
  group_name: line(120),
  timezone: timezone.default('Europe/Madrid'),
  email: emailAddress,
  full_name: blankable(line(120)).optional(),
  password: newPassword,
})

/** The steps of a group's set-up, in an order that works. */
export const SETUP_STEPS = [
  'locations',
  'hours',
  'pms',
  'email',
  'team',
  'data',
  'channels',
  'webhooks',
] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** The steps that a group may put off: it can take bookings by hand, and write by e-mail alone. */
export const OPTIONAL_STEPS = ['pms', 'channels'] as const
export type OptionalStep = (typeof OPTIONAL_STEPS)[number]

const moment = z.string().nullable()
const trace = { at: moment, by: z.string().nullable() }
const step = z.object({
  done: z.boolean(),
  at: moment.meta({ description: 'When it was done, as far as it is known' }),
  by: trace.by.meta({ description: 'Who did it, as far as it is known' }),
})
const heard = z.object({
  heard_at: moment.meta({ description: 'The last call with a right signature' }),
  refused_at: moment.meta({ description: 'The last call with a wrong one; anybody can cause it' }),
})

export const setupProgressSchema = z.object({
  shown: z.boolean().meta({ description: 'Whether home shows the list' }),
  without_hours: z.string().nullable().meta({ description: 'A location whose hours are missing' }),
  synced_locations: z.int().meta({ description: 'Active locations with their identifier in the PMS' }),
  steps: z.object(
    Object.fromEntries(SETUP_STEPS.map((name) => [name, step])) as Record<SetupStep, typeof step>,
  ),
  skipped: z.partialRecord(z.enum(OPTIONAL_STEPS), z.object(trace)),
  tests: z.partialRecord(z.enum(TEST_KINDS), z.object({ ...trace, reason: z.string().nullable() })).meta({
    description: 'The last test of each connection with its stored settings; `reason` is null when it passed',
  }),
  schedule: moment.meta({ description: 'When the schedule last ran a job of the group' }),
})
export type SetupProgress = z.infer<typeof setupProgressSchema>

export const setupListSchema = setupProgressSchema
  .extend({
    webhooks: z.object(
      Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, heard])) as Record<WebhookType, typeof heard>,
    ),
  })
  .meta({ id: 'SetupList' })
/** The set-up list with the webhooks' last calls. */
export type SetupEntries = z.infer<typeof setupListSchema>

export const skipSchema = z.strictObject({ skipped: z.boolean() })
