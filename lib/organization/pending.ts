import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/errors'
import type { JobContext } from '@/lib/jobs/job'
import { answerOrganization } from './organization'
import { type Limit, type ShownPending, type seenSchema, shownPendingSchema } from './schema'

type Seen = z.infer<typeof seenSchema>

/** The limits of approval that wait to be raised, and what the caller may do with each. */
export async function pendingLimits({ db }: Pick<Session, 'db'>): Promise<ShownPending> {
  return shownPendingSchema.parse(unwrap(await db.rpc('pending_limits')))
}

/**
 * Raises a limit of approval as another administrator asked.
 * @returns the body of GET /api/organization
 * @throws HttpError 403 for who asked, and for people whom a fresh invitation or role links with them; 404; 409 when it was
 * asked anew since `at`.
 */
export async function approveLimit(
  session: Pick<Session, 'db' | 'organization'>,
  limit: Limit,
  { at }: Seen,
) {
  await decide(session, limit, true, at)
  return answerOrganization(session)
}

/**
 * Drops what somebody asked for: the limit stays as it is.
 * @throws HttpError 403; 404.
 */
export async function withdrawLimit(session: Pick<Session, 'db'>, limit: Limit): Promise<void> {
  await decide(session, limit, false)
}

async function decide({ db }: Pick<Session, 'db'>, limit: Limit, approve: boolean, at?: string) {
  const parameters = { p_name: limit, p_approve: approve, p_since: at }
  const outcome = unwrap(await db.rpc('decide_limit', parameters))
  refuse(outcome, { own: 'OTHER_APPROVER_NEEDED', changed: 'RUN_CHANGED' })
}

/** Raises the limits whose 72 hours are over, where nobody else may approve them, and tells the administrators. */
export async function raiseDueLimits({ db, now }: Pick<JobContext, 'db' | 'now'>): Promise<void> {
  unwrap(await db.rpc('apply_due_limits', { p_now: now.toISOString() }))
}
