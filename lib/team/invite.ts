import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { INVITATION_COLUMNS, invitationSchema, type newInvitationSchema, TEAM_REFUSALS } from './schema'

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().nullish() })

/**
 * Invites an e-mail to join with a role and locations (none: every location).
 * @throws HttpError 403, 400 for a location the caller does not work in, 409 for a member or an invited e-mail.
 */
export async function invite(
  { db }: Pick<Session, 'db'>,
  { email, role, full_name, location_ids }: z.infer<typeof newInvitationSchema>,
) {
  const parameters = {
    p_email: email,
    p_role: role,
    p_full_name: (full_name ?? null) as string,
    p_locations: location_ids,
  }
  const { outcome, id } = outcomeSchema.parse(unwrap(await db.rpc('invite_member', parameters)))
  refuse(outcome, TEAM_REFUSALS)
  return invitationSchema.parse(
    unwrap(
      await db
        .from('invitations')
        .select(INVITATION_COLUMNS)
        .eq('id', id ?? '')
        .single(),
    ),
  )
}
