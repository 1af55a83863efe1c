import { z } from 'zod'
import { guestLanguage, line, storedTime, timeOfDay } from '@/lib/http/fields'
import { instantInput, storedInstant } from '@/lib/http/instant'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { timezone } from '@/lib/locations/timezone'
import { AI_CEILINGS, APPROVE_ABOVE, CONTROL_SHARE, DAYS, OFFER_MINUTES, SMS_PRICE } from './limits'

export const organizationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    timezone: z.string().meta({
      description:
        'That of what belongs to no location, such as guests without one; a new location starts with it',
    }),
    show_setup: z.boolean().meta({
      description: 'Whether home shows the first steps of a new group to administrators, while one is left',
    }),
    frequency_cap_days: z
      .int()
      .meta({ description: 'Minimum days between two marketing messages to one customer' }),
    quiet_from: storedTime.meta({ description: 'Marketing messages wait from here …' }),
    quiet_until: storedTime.meta({ description: '… to here, local time; both the same: they never wait' }),
    limit_marketing_to_roles: z.boolean().meta({
      description: 'Whether running automations and saving loyalty rules need canAccessMarketing',
    }),
    require_second_factor: z.boolean().meta({
      description: 'Whether a super_admin or admin reaches anything only with a second factor',
    }),
    horizon_days: z.int().nullable().meta({
      description:
        'Days ahead that the scheduled sync also fetches; null: the PMS_HORIZON_DAYS of the deployment',
    }),
    keep_job_runs_days: z.int().meta({ description: 'Days that the log of jobs is kept' }),
    keep_automation_runs_days: z.int().meta({
      description: 'Days that the automation log is kept; its messages stay',
    }),
    keep_webhook_receipts_days: z.int().meta({
      description: 'Days that a repeated inbound message is known as one',
    }),
    keep_failed_rows_days: z
      .int()
      .meta({ description: 'Days that failed rows of imports can be downloaded' }),
    ai_daily_calls: z.int().meta({ description: 'Questions to the assistant a day …' }),
    ai_daily_calls_per_person: z.int().meta({ description: '… and of one person' }),
    ai_daily_tokens: z.int().meta({ description: 'Tokens that the assistant may use a day …' }),
    ai_daily_tokens_per_person: z.int().meta({ description: '… and for one person' }),
    approve_above: z.int().nullable().meta({
      description: 'A send to more customers than this needs a second person’s approval; null: none does',
    }),
    campaign_approve_above: z.int().nullable().meta({
      description: 'A campaign to more customers than this needs a second person’s approval; null: none does',
    }),
    control_share: z.int().meta({
      description: 'The control group, in per cent, of automations without a share of their own',
    }),
    offer_tables_minutes: z.int().nullable().meta({
      description:
        'Minutes for which a freed table is held for a waiting party that was offered it by message; null: none is offered',
    }),
    postal_address: z.string().nullable().meta({
      description:
        'At the end of every marketing e-mail; null: none can be launched. Once given it can be changed, not removed',
    }),
    sms_price: z.coerce.number().nullable().meta({
      description: 'EUR a segment of an SMS, for the estimate before sending; null: none is shown',
    }),
    language: z.enum(GUEST_LANGUAGES).meta({
      description: 'In which guests are written to who have no language of their own',
    }),
  })
  .meta({ id: 'Organization' })

export type Organization = z.infer<typeof organizationSchema>

/** The limits of approval: a second person raises them. */
const LIMITS = ['approve_above', 'campaign_approve_above'] as const
export const limitParams = z.object({ limit: z.enum(LIMITS) })
export type Limit = (typeof LIMITS)[number]
export const seenSchema = z.object({
  at: instantInput
    .optional()
    .meta({ description: '`at` as the caller saw it: what was asked anew since is refused' }),
})

const pendingLimit = z.object({
  value: z.int().nullable().meta({ description: 'What it shall be; null: no approval at all' }),
  by: z.string().meta({ description: 'Who asked for it' }),
  at: storedInstant.meta({ description: 'Since when it waits' }),
})
export const pendingSchema = z
  .partialRecord(z.enum(LIMITS), pendingLimit)
  .meta({ id: 'PendingLimits', description: 'Limits of approval that wait to be raised' })
export type Pending = z.infer<typeof pendingSchema>

/** What waits, for the person who looks at the settings. */
export const shownPendingSchema = z.partialRecord(
  z.enum(LIMITS),
  pendingLimit.extend({
    /** When it takes effect by itself; null: it waits for another person. */
    due_at: storedInstant.nullable(),
    mine: z.boolean(),
    can_approve: z.boolean(),
  }),
)
export type ShownPending = z.infer<typeof shownPendingSchema>

const whole = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)

export const organizationChangesSchema = z
  .strictObject({
    name: line(120),
    timezone,
    show_setup: z.boolean(),
    frequency_cap_days: whole(DAYS.frequency_cap_days),
    quiet_from: timeOfDay,
    quiet_until: timeOfDay,
    limit_marketing_to_roles: z.boolean(),
    require_second_factor: z.boolean(),
    horizon_days: whole(DAYS.horizon_days).nullable(),
    keep_job_runs_days: whole(DAYS.keep_job_runs_days),
    keep_automation_runs_days: whole(DAYS.keep_automation_runs_days),
    keep_webhook_receipts_days: whole(DAYS.keep_webhook_receipts_days),
    keep_failed_rows_days: whole(DAYS.keep_failed_rows_days),
    ai_daily_calls: whole(AI_CEILINGS.ai_daily_calls),
    ai_daily_calls_per_person: whole(AI_CEILINGS.ai_daily_calls_per_person),
    ai_daily_tokens: whole(AI_CEILINGS.ai_daily_tokens),
    ai_daily_tokens_per_person: whole(AI_CEILINGS.ai_daily_tokens_per_person),
    approve_above: whole(APPROVE_ABOVE).nullable(),
    campaign_approve_above: whole(APPROVE_ABOVE).nullable(),
    control_share: whole(CONTROL_SHARE),
    offer_tables_minutes: whole(OFFER_MINUTES).nullable(),
    sms_price: z.number().min(SMS_PRICE.min).max(SMS_PRICE.max).nullable(),
    postal_address: line(300),
    language: guestLanguage,
  })
  .partial()
