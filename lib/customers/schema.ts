import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { consentSchema } from './consent'

/** How a customer list may be ordered: column, direction. */
export const CUSTOMER_SORTS = {
  recent: { column: 'sort_visit', ascending: false },
  name: { column: 'sort_name', ascending: true },
  spend: { column: 'total_spend', ascending: false },
  visits: { column: 'total_visits', ascending: false },
} as const
export type CustomerSort = keyof typeof CUSTOMER_SORTS

/**
 * Groups of customers a list can show. `inactive`: came once, but not in the last 90 days. `new`: created in the last
 * 30 days. `vip`: of the tier Oro or above (of rank 3 or above where no tier is called Oro). `birthday`: within the
 * next 7 days, today included; 29 February counts on the 28th in common years. `no_show`: at least one no-show.
 */
export const CUSTOMER_SEGMENTS = ['inactive', 'new', 'vip', 'birthday', 'no_show'] as const
export type CustomerSegment = (typeof CUSTOMER_SEGMENTS)[number]

export const customerSchema = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    whatsapp_id: z.string().nullable().meta({
      description: 'The business-scoped id of their WhatsApp, by which they may write without a number',
    }),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    birth_date: z.string().nullable(),
    company: z.string().nullable(),
    job_title: z.string().nullable(),
    address: z.string().nullable(),
    tags: z.array(z.string()),
    source: z.string().nullable(),
    notes: z.string().nullable(),
    location_id: z.string().nullable(),
    total_visits: z.number(),
    total_spend: z.coerce.number(),
    spend_is_estimate: z.boolean().meta({
      description:
        'Some visit has no amount: `total_spend` counts guests × the location’s average spend for it',
    }),
    points: z.number(),
    last_visit_at: instant.nullable(),
    loyalty_tier: z.object({ id: z.string(), name: z.string() }).nullable(),
    created_at: instant,
    consent: consentSchema,
  })
  .meta({ id: 'Customer' })
/** A customer as the API gives it; money in EUR, instants in ISO 8601. */
export type Customer = z.infer<typeof customerSchema>

/** What a select gives of a customer; their consent is asked for apart (with-consent.ts). */
export const customerRow = customerSchema.omit({ consent: true })

export const CUSTOMER_COLUMNS =
  'id, email, phone, whatsapp_id, first_name, last_name, birth_date, company, job_title, address, tags, source, notes, ' +
  'location_id, total_visits, total_spend, spend_is_estimate, points, last_visit_at, created_at, loyalty_tier:loyalty_tiers(id, name)'
