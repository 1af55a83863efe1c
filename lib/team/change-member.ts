import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { type memberChangesSchema, memberSchema, TEAM_REFUSALS } from './schema'

/**
 * Changes a person's role, name or locations; `change_member` in SQL decides who may do what to whom.
 * @throws HttpError 403, 404, 400 for a location the caller does not work in, 409 for one's own role or locations.
 */
export async function changeMember(
  { db }: Pick<Session, 'db'>,
  id: string,
  changes: z.infer<typeof memberChangesSchema>,
) {
  const outcome = unwrap(await db.rpc('change_member', { p_member: id, p_changes: changes }))
  refuse(outcome, TEAM_REFUSALS)
  const [member] = unwrap(await db.rpc('list_team', { p_member: id })) ?? []
  return memberSchema.parse(member)
}
