import { z } from 'zod'
import { calendarDate, optionalText } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { COMPARED_FIELDS, eachField, GUEST_FIELDS, pick } from './guest-fields'

const typed = eachField(({ limit }) => optionalText(limit).optional(), {
  date: () => calendarDate(1900, 2100).nullable().optional(),
})

/** What is being typed about a guest. What is not a whole e-mail or phone yet is left out of the comparison. */
export const typedGuest = z.strictObject({
  id: z.guid().optional().meta({ description: 'The customer that is edited, who is not shown' }),
  ...pick(typed, COMPARED_FIELDS),
  // Who books gives a whole name.
  first_name: optionalText(GUEST_FIELDS.first_name.limit * 2).optional(),
})
export type TypedGuest = z.input<typeof typedGuest>

/** Why somebody may be the guest that is typed in: what agrees. */
const MATCH_REASONS = [
  'phone',
  'phone_close',
  'email',
  'email_close',
  'name',
  'name_close',
  'nickname',
  'surname',
  'surname_part',
  'birth',
  'birth_close',
  'address',
  'company',
] as const
export type MatchReason = (typeof MATCH_REASONS)[number]

const MATCH_CHANCES = ['certain', 'very_likely', 'likely'] as const

export const guestMatchSchema = z
  .object({
    id: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    phone: z.string().nullable().meta({ description: 'The last three digits only' }),
    email: z.string().nullable().meta({ description: 'The first character and the domain only' }),
    last_visit_at: instant.nullable(),
    last_visit_on: z.string().nullable(),
    total_visits: z.number(),
    chance: z.enum(MATCH_CHANCES),
    reasons: z.array(z.enum(MATCH_REASONS)),
  })
  .meta({ id: 'GuestMatch', description: 'A customer who may be the guest that is being typed in' })
export type GuestMatch = z.infer<typeof guestMatchSchema>
