import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { consentSchema } from './consent'
import { allergiesField } from './facts-schema'
import { eachField } from './guest-fields'

/** The `source` of customers that came by a file (supabase/logic/imports/rows.sql). */
export const IMPORTED = 'Bulk Import'

const { email, phone, notes, location_id, ...others } = eachField(() => z.string().nullable(), {
  language: () =>
    z
      .enum(GUEST_LANGUAGES)
      .nullable()
      .meta({ description: 'In which they are written to; null: in the group’s' }),
  tags: () => z.array(z.string()),
})

export const customerSchema = z
  .object({
    id: z.string(),
    email,
    phone,
    emails: z.array(z.string()).meta({
      description:
        'Further e-mails, without `email`: bookings by them find the guest, messages go to `email` only',
    }),
    phones: z.array(z.string()).meta({ description: 'Further phones, likewise' }),
    whatsapp_id: z.string().nullable().meta({
      description: 'The business-scoped id of their WhatsApp, by which they may write without a number',
    }),
    ...others,
    source: z.string().nullable(),
    notes,
    location_id,
    total_visits: z.number(),
    total_spend: z.coerce.number(),
    spend_is_estimate: z.boolean().meta({
      description:
        'Some visit has no amount: `total_spend` counts guests × the location’s average spend for it',
    }),
    points: z.number(),
    last_visit_at: instant.nullable(),
    last_visit_on: z.string().nullable().meta({ description: 'The service day of the last visit' }),
    loyalty_tier: z.object({ id: z.string(), name: z.string() }).nullable(),
    created_at: instant,
    consent: consentSchema,
    allergies: allergiesField,
    write_frequency: z.enum(['monthly']).nullable().meta({
      description:
        'How often marketing may write, as the guest chose on the page of an unsubscribe link; null: no wish',
    }),
    muted_brands: z.array(z.string()).meta({
      description: 'The brands of which the guest wants no marketing, as they chose there',
    }),
  })
  .meta({ id: 'Customer' })
/** A customer in the API; money in EUR, instants in ISO 8601. */
export type Customer = z.infer<typeof customerSchema>

export const customerTagSchema = z
  .object({ tag: z.string(), customers: z.number() })
  .meta({ id: 'CustomerTag', description: 'A tag and how many customers have it' })
export type CustomerTag = z.infer<typeof customerTagSchema>

export const customerCitySchema = z
  .object({ city: z.string() })
  .meta({ id: 'CustomerCity', description: 'A city in which customers live' })
export type CustomerCity = z.infer<typeof customerCitySchema>

const DUPLICATE_REASONS = ['email', 'name_and_birth_date', 'phone', 'likeness'] as const

const probability = z.number().min(0).max(1)

/** Two customers of a group and the comparison of each field. */
const likelyPairSchema = z.object({
  customer_ids: z.array(z.string()).length(2),
  probability: probability.meta({ description: 'How likely the two are one person' }),
  certain: z.boolean().meta({ description: 'Enough to take them for one person unasked' }),
  evidence: z.record(z.string(), z.string()).meta({
    description: 'How each field compares that both have, such as {"given": "nickname", "phone": "exact"}',
  }),
})
export type LikelyPair = z.infer<typeof likelyPairSchema>

/**
 * Why a group is likely one person. `email`: the same mailbox (without +suffix, and without dots at Gmail).
 * `name_and_birth_date`: the same name, accents and case aside, and date. `phone`: the same phone, and the same name or
 * none; where a phone has several names, only those of the same name. `likeness`: the model finds them
 * likely enough (docs/identity.md). Customers linked through a third one are in the same group.
 */
export const duplicateGroupSchema = z
  .object({
    reason: z.enum(DUPLICATE_REASONS),
    reasons: z
      .array(z.enum(DUPLICATE_REASONS))
      .meta({ description: 'All that some of them have in common; `reason` is the first' }),
    probability: probability.meta({ description: 'Of its most certain pair' }),
    certain: z.boolean().meta({ description: 'Whether its most certain pair is' }),
    pairs: z.array(likelyPairSchema).meta({ description: 'The likely pairs in it, the most certain first' }),
    customers: z.array(customerSchema).meta({ description: 'The first known first, ten at most' }),
  })
  .meta({ id: 'DuplicateGroup' })
export type DuplicateGroup = z.infer<typeof duplicateGroupSchema>

/** Whether a customer is a different person from others that look like duplicates. */
export const verdictSchema = z.strictObject({
  customer_id: z.guid(),
  other_ids: z.array(z.guid()).min(1).max(50),
  different: z.boolean().meta({ description: 'false takes it back: they are suggested again' }),
})

/** A customer after a merge, with the id that undoes it. */
export const mergedSchema = customerSchema.extend({
  merge_id: z.string().meta({ description: 'Undoes it for 30 days: POST /api/customer-merges/{id}/undo' }),
})

export const pairSchema = z
  .object({
    id: z.string(),
    decided_at: instant,
    author_name: z.string(),
    customers: z.array(customerSchema).length(2),
  })
  .meta({
    id: 'DifferentCustomers',
    description: 'Two customers who are not the same person, and who said so',
  })
export type Pair = z.infer<typeof pairSchema>
