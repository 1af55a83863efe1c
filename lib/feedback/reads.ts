import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { withAllergies, withItsAllergies } from '@/lib/customers/allergies'
import { personName } from '@/lib/customers/person-name'
import { DAY_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { notFoundError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import type { FeedbackQuery } from './filters'
import { type Feedback, feedbackSchema, type TrendWeek, trendSchema } from './schema'

const COLUMNS =
  'id, location_id, customer_id, reservation_id, score, words, language, answered_at, ticket_id, reply, replied_by, replied_at, ' +
  'location:locations(name), customer:customers(first_name, last_name), reservation:reservations(service_date)'

const rowSchema = feedbackSchema
  .omit({ location: true, customer_name: true, reservation_date: true, allergies: true })
  .extend({
    location: z.object({ name: z.string() }).nullable(),
    customer: z.object({ first_name: z.string().nullable(), last_name: z.string().nullable() }).nullable(),
    reservation: z.object({ service_date: z.string() }).nullable(),
  })

/**
 * A keyset page of the feedback in the caller's locations, the latest first; empty without customer access.
 * @throws HttpError 400 for an invalid cursor.
 */
export async function listFeedback(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { location_id, score, customer_id, days, cursor, limit = 50 }: Partial<FeedbackQuery>,
  now = new Date(),
): Promise<{ data: Feedback[]; next_cursor: string | null }> {
  let query = db.from('feedback').select(COLUMNS)
  if (location_id) query = query.eq('location_id', location_id)
  if (customer_id) query = query.eq('customer_id', customer_id)
  // For the index: RLS alone would read every answer of every location before the first page.
  if (!location_id && !customer_id) query = query.eq('organization_id', organization.id)
  if (score) query = query.eq('score', score)
  if (days) query = query.gte('answered_at', new Date(now.getTime() - Number(days) * DAY_MS).toISOString())
  if (cursor !== undefined) {
    const after = decodeInstantCursor(cursor)
    query = query.lte('answered_at', after.key).or(afterCursor('answered_at', after, false))
  }
  const found = await query
    .order('answered_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = z.array(rowSchema).parse(unwrap(found))
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.answered_at, last.id))
  return { ...page, data: await withAllergies({ db }, page.data.map(shown)) }
}

function shown({
  location,
  customer,
  reservation,
  ...row
}: z.output<typeof rowSchema>): Omit<Feedback, 'allergies'> {
  return {
    ...row,
    location: location?.name ?? null,
    customer_name: customer ? personName(customer) : null,
    reservation_date: reservation?.service_date ?? null,
  }
}

/**
 * One answer of a survey in the caller's locations.
 * @throws HttpError 404.
 */
export async function getFeedback({ db }: Pick<Session, 'db'>, id: string): Promise<Feedback> {
  const found = unwrap(await db.from('feedback').select(COLUMNS).eq('id', id).maybeSingle())
  if (!found) throw notFoundError()
  return withItsAllergies({ db }, shown(rowSchema.parse(found)))
}

/** The latest feedback of a customer in the caller's locations; null when there is none. */
export async function latestFeedback(
  session: Pick<Session, 'db' | 'organization'>,
  customerId: string,
): Promise<Feedback | null> {
  const { data } = await listFeedback(session, { customer_id: customerId, limit: 1 })
  return data[0] ?? null
}

/** Answers and average of each of the caller's locations (or one) in the last 12 weeks, the earliest week first. */
export async function feedbackTrend(
  { db }: Pick<Session, 'db'>,
  locationId?: string,
  now = new Date(),
): Promise<TrendWeek[]> {
  const parameters = { p_location: locationId, p_now: now.toISOString() }
  return trendSchema.parse(unwrap(await db.rpc('feedback_trend', parameters)))
}
