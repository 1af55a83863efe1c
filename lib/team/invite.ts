import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { env } from '@/lib/env'
import { refuse } from '@/lib/http/refusals'
import { mailInvitation } from './invitation-mail'
import { newInvitationToken } from './invitation-token'
import {
  INVITATION_COLUMNS,
  type InvitationLink,
  invitationSchema,
  type newInvitationSchema,
  TEAM_REFUSALS,
} from './schema'

type Inviter = Pick<Session, 'db' | 'organization' | 'full_name'>

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().nullish() })

/**
 * Invites an e-mail to join with a role and locations (none: every location), and mails the link.
 * @param origin where the caller reaches the app, for a deployment that does not know its address
 * @throws HttpError 403, 400 for a location the caller does not work in, 409 for a member or an invited e-mail.
 */
export async function invite(
  inviter: Inviter,
  { email, role, full_name, location_ids }: z.infer<typeof newInvitationSchema>,
  origin: string,
): Promise<InvitationLink> {
  const { token, hash } = newInvitationToken()
  const parameters = {
    p_email: email,
    p_role: role,
    p_full_name: (full_name ?? null) as string,
    p_locations: location_ids,
    p_token_hash: hash,
  }
  const { outcome, id } = outcomeSchema.parse(unwrap(await inviter.db.rpc('invite_member', parameters)))
  refuse(outcome, TEAM_REFUSALS)
  return withLink(inviter, id ?? '', token, origin)
}

/**
 * Gives an open invitation another link, for seven days, and mails it; the old one stops working.
 * @throws HttpError 403, 404.
 */
export async function renewInvitation(inviter: Inviter, id: string, origin: string): Promise<InvitationLink> {
  const { token, hash } = newInvitationToken()
  const parameters = { p_invitation: id, p_token_hash: hash }
  refuse(unwrap(await inviter.db.rpc('renew_invitation', parameters)), TEAM_REFUSALS)
  return withLink(inviter, id, token, origin)
}

async function withLink(
  inviter: Inviter,
  id: string,
  token: string,
  origin: string,
): Promise<InvitationLink> {
  const found = await inviter.db.from('invitations').select(INVITATION_COLUMNS).eq('id', id).single()
  const invitation = invitationSchema.parse(unwrap(found))
  // After the #: what follows it reaches no server, no log and no Referer.
  const url = `${env().PUBLIC_URL || origin}/sign-up#token=${token}`
  return { ...invitation, token, url, mail: await mailInvitation(inviter, { ...invitation, url }) }
}
