import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { readIntegrations } from '@/lib/integrations/integrations'

const upcomingSchema = z.object({
  date: z.string(),
  time: z.string(),
  location: z.string(),
  party_size: z.number(),
  status: z.string(),
  customer_name: z.string().optional(),
  notes: z.string().optional(),
  tier: z.string().optional(),
})
const contextSchema = z.object({
  now: z.string(),
  timezone: z.string(),
  locations: z.array(
    z.object({
      name: z.string(),
      timezone: z.string(),
      local_time: z.string(),
      service_date: z.string(),
      reservations_today: z.number().nullable(),
      covers_today: z.number().nullable(),
      known_until: z.string().nullable(),
    }),
  ),
  today: z.object({
    total: z.number(),
    confirmed: z.number(),
    pending: z.number(),
    vip: z.number(),
    seated: z.number(),
    completed: z.number(),
    cancelled: z.number(),
    no_show: z.number(),
    covers: z.number(),
  }),
  upcoming: z.array(upcomingSchema),
  customers: z.object({
    total: z.number(),
    without_tier: z.number(),
    by_tier: z.array(z.object({ tier: z.string(), customers: z.number() })),
  }),
  week: z.object({ reservations: z.number(), covers: z.number(), estimated_revenue_eur: z.number() }),
  inactive_vips: z.object({
    count: z.number(),
    since: z.string(),
    biggest_spenders: z.array(
      z.object({
        name: z.string().optional(),
        tier: z.string(),
        last_visit: z.string(),
        total_spend_eur: z.number(),
        spend_is_estimate: z.boolean(),
      }),
    ),
  }),
})
/**
 * The business at one moment, as far as the caller may see it. `today.total` excludes cancellations and no-shows; times
 * are local, money is in EUR. Figures that were not fetched from the PMS are null; `known_until` is the last day that was
 * (`always` without a PMS). Names and notes are absent without the permission to read them.
 */
export type AssistantContext = z.infer<typeof contextSchema>

/** Reads the context in one query, with the rights of the caller. */
export async function readContext(
  { db }: Pick<Session, 'db'>,
  { now = new Date() }: { now?: Date } = {},
): Promise<AssistantContext> {
  return contextSchema.parse(unwrap(await db.rpc('assistant_context', { p_now: now.toISOString() })))
}

/** Whether the organization has an enabled language model; every member may know this. */
export async function isConfigured(session: Pick<Session, 'organization'>): Promise<boolean> {
  const integrations = await readIntegrations(session)
  return integrations.some(
    (each) => each.integration_type === 'ai' && each.is_enabled && each.config.api_key_set,
  )
}
