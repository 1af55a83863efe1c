import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError, refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type Member, type memberChangesSchema, memberSchema, TEAM_REFUSALS } from './schema'

/** A keyset page of the team, the oldest members first; empty for a caller who may not manage it. */
export async function listTeam({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  const after = page.cursor === undefined ? undefined : decodeInstantCursor(page.cursor)
  const parameters = {
    p_limit: page.limit + 1,
    p_after_at: after?.key,
    p_after_id: after?.id,
  }
  const rows = unwrap(await db.rpc('list_team', parameters)) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: rows.slice(0, page.limit).map(toMember),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}

/** A row of `list_team` as the API returns it. */
function toMember(row: object): Member {
  const member = memberSchema.parse(row)
  return member.role === null ? { ...member, broken: true } : member
}

const colleagueSchema = z.object({ id: z.string(), name: z.string() })
export type Colleague = z.infer<typeof colleagueSchema>

/** The people of the caller's organization by name, for any role: possible assignees. */
export async function listColleagues({ db }: Pick<Session, 'db'>): Promise<Colleague[]> {
  return z.array(colleagueSchema).parse(unwrap(await db.rpc('list_colleagues')) ?? [])
}

/**
 * Changes a person's role, name or locations; the SQL function `change_member` decides what the caller may change.
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
  // Removed by another request since.
  if (!member) throw notFoundError()
  return toMember(member)
}

/**
 * Removes a person's profile, and with it their access; to return they need a new invitation.
 * @throws HttpError 403, 404, 409 for oneself.
 */
export async function removeMember({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('remove_member', { p_member: id })), TEAM_REFUSALS)
}

/**
 * Signs a person of the team, or oneself, out everywhere, at once.
 * @throws HttpError 403, 404.
 */
export async function endMemberSessions({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('end_member_sessions', { p_member: id })), TEAM_REFUSALS)
}
