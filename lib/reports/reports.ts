import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/errors'
import { readHours } from './hours'
import { cohortsSchema, type Reports, type ReportsQuery, tiersSchema } from './schema'
import { readWeeks } from './weeks'

type Read = Pick<Session, 'db'>

/**
 * New guests by month of their first visit, in a location of the caller or in all of them, and how many came again.
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function readCohorts({ db }: Read, query: ReportsQuery, now = new Date()) {
  const { months, location_id, split } = query
  const parameters = { p_months: months, p_location: location_id, p_split: split, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('report_cohorts', parameters))
  if (found === null) throw notFoundError()
  return cohortsSchema.parse(found)
}

/**
 * Visits and revenue (EUR) by the tier that the guests hold today; the last two are guests without a tier, and visits
 * without a customer record.
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function readTierRevenue({ db }: Read, query: ReportsQuery, now = new Date()) {
  const { months, location_id } = query
  const parameters = { p_months: months, p_location: location_id, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('report_tiers', parameters))
  if (found === null) throw notFoundError()
  return tiersSchema.parse(found)
}

/**
 * All reports: of the weeks, and of a period.
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function readReports(session: Read, query: ReportsQuery, now = new Date()): Promise<Reports> {
  const [cohorts, { tiers }, weeks, hours] = await Promise.all([
    readCohorts(session, query, now),
    readTierRevenue(session, query, now),
    readWeeks(session, query, now),
    readHours(session, query, now),
  ])
  return { ...cohorts, tiers, weeks, hours }
}
