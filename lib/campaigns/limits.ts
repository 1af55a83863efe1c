// Apart from the schema, so that client components do not load zod. The table's checks repeat these limits.

/** How a campaign stands (docs/campaigns.md). */
export const CAMPAIGN_STATUSES = [
  'draft',
  'waiting_approval',
  'scheduled',
  'sending',
  'paused',
  'finished',
  'stopped',
] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

export const VARIANTS = ['a', 'b'] as const
export type Variant = (typeof VARIANTS)[number]

export const WINNER_BY = ['visits', 'clicks'] as const

/** The first message and at most four follow-ups. */
export const MAX_STEPS = 5

export const EXCLUDE_RECENT_DAYS = { min: 0, max: 365 } as const
/** The per cent of the guests who get variant A or B before the winner is known; at 100 everyone gets one of them. */
export const TEST_SHARE = { min: 10, max: 100 } as const
export const TEST_HOURS = { min: 1, max: 168 } as const
/** Days between a guest's message and the follow-up. */
export const AFTER_DAYS = { min: 1, max: 60 } as const

/** Why a variant won: better by a significant difference, only ahead, or chosen without enough figures. */
export const WINNER_REASONS = ['better', 'unclear', 'too_few'] as const

/** What may be true of a message of a campaign; several at once, but for those that never left. */
export const RECIPIENT_OUTCOMES = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
  'bounced',
  'failed',
  'skipped',
  'pending',
  'simulated',
] as const
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number]
