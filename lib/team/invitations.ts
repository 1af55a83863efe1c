import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { afterCursor } from '@/lib/http/cursor'
import { refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { log } from '@/lib/log'
import { channelTroubles } from '@/lib/messaging/providers'
import { hashOfSecret, newSecret } from '@/lib/secret'
import { mailInvitation } from './invitation-mail'
import {
  INVITATION_COLUMNS,
  type InvitationLink,
  invitationSchema,
  type newInvitationSchema,
  TEAM_REFUSALS,
} from './schema'

/** A keyset page of the open invitations, the oldest first. */
export async function listInvitations({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  let query = db.from('invitations').select(INVITATION_COLUMNS).is('accepted_at', null)
  if (page.cursor !== undefined)
    query = query.or(afterCursor('created_at', decodeInstantCursor(page.cursor), true))
  const found = await query
    .order('created_at')
    .order('id')
    .limit(page.limit + 1)
  const rows = unwrap(found) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: z.array(invitationSchema).parse(rows.slice(0, page.limit)),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}

/** Whether invitations are mailed now: `ready`, simulated, or why they are not. */
export async function invitationMailer(
  session: Pick<Session, 'organization'>,
): Promise<'ready' | 'simulated' | 'no_provider' | 'no_app_url'> {
  const { email } = await channelTroubles(session).catch((err: unknown) => {
    log().error({ err }, 'the e-mail provider cannot be read')
    return { email: 'no_provider' as const }
  })
  return email ?? 'ready'
}

type Inviter = Pick<Session, 'db' | 'organization' | 'full_name'>

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().nullish() })

/**
 * Invites an e-mail address with a role and locations (empty: every location), and mails the link.
 * @param origin where the caller reaches the app, for a deployment that does not know its address
 * @throws HttpError 403, 400 for a location the caller does not work in, 409 for a member or an invited e-mail.
 */
export async function invite(
  inviter: Inviter,
  { email, role, full_name, location_ids }: z.infer<typeof newInvitationSchema>,
  origin: string,
): Promise<InvitationLink> {
  const { secret: token, hash } = newSecret()
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
 * Creates a new link for an open invitation, valid for seven days, and mails it; the old link stops working.
 * @throws HttpError 403, 404.
 */
export async function renewInvitation(inviter: Inviter, id: string, origin: string): Promise<InvitationLink> {
  const { secret: token, hash } = newSecret()
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
  // After the #: browsers send that part to no server, and in no Referer.
  const url = `${env().PUBLIC_URL || origin}/sign-up#token=${token}`
  const mail = await mailInvitation(inviter, { ...invitation, url })
  await noteMail(hashOfSecret(token), mail)
  return { ...invitation, token, url, mail }
}

/** Stores the outcome of the mail for the list, unless a newer link has replaced this one. Never throws. */
async function noteMail(token_hash: string, mail: InvitationLink['mail']): Promise<void> {
  try {
    unwrap(await serviceDb().from('invitations').update({ mail }).eq('token_hash', token_hash))
  } catch (err) {
    log().error({ err }, 'what became of the mail of an invitation was not kept')
  }
}

/**
 * Withdraws an open invitation.
 * @throws HttpError 403, 404.
 */
export async function withdrawInvitation({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('withdraw_invitation', { p_invitation: id })), TEAM_REFUSALS)
}
