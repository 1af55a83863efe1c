import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { kindOf } from './fact-codes'
import type { CustomerFacts, factChangesSchema } from './facts-schema'
import { guestCard } from './guest-card'

/**
 * The facts of the customer with that id, and the suggested ones, for callers who may use the guest's card.
 * @throws HttpError 404 when the customer does not exist or is not visible.
 */
export async function readFacts(session: Pick<Session, 'db'>, id: string): Promise<CustomerFacts> {
  const { facts, suggested } = await guestCard(session, id)
  return { facts, suggested }
}

/**
 * Replaces the recorded facts of a customer. Unchanged facts keep their author and time. The log records that facts
 * changed, but not which.
 * @throws HttpError 404 when the customer does not exist or is not visible.
 */
export async function recordFacts(
  session: Pick<Session, 'db'>,
  id: string,
  { facts }: z.infer<typeof factChangesSchema>,
): Promise<CustomerFacts> {
  const p_facts = facts.map(({ code, note = null }) => ({ code, kind: kindOf(code), note }))
  const outcome = unwrap(await session.db.rpc('save_customer_facts', { p_customer: id, p_facts }))
  if (outcome !== 'saved') throw new HttpError('NOT_FOUND')
  return readFacts(session, id)
}
