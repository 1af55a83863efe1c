import { z } from 'zod'
import { ROLES } from '@/lib/auth/permissions'
import { blankable, emailAddress, line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'

export const memberSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    full_name: z.string().nullable(),
    role: z.enum(ROLES),
    all_locations: z.boolean().meta({ description: 'Bound to no location: works in all of them' }),
    location_ids: z.array(z.string()).meta({ description: 'Of their locations, those the caller works in' }),
    created_at: instant,
  })
  .meta({ id: 'Member' })

export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    full_name: z.string().nullable(),
    role: z.enum(ROLES),
    location_ids: z.array(z.string()),
    expires_at: instant.meta({ description: 'Until when its link works; a new link lasts seven days more' }),
    created_at: instant,
  })
  .meta({ id: 'Invitation' })

/** What became of the mail with the link; the invitation is there whatever it says. */
const MAIL_OUTCOMES = ['sent', 'simulated', 'failed', 'unknown', 'no_provider', 'no_app_url'] as const

export const invitationLinkSchema = invitationSchema
  .extend({
    token: z.string().meta({ description: 'Redeems the invitation once. Only here and in the mail' }),
    url: z.string().meta({ description: 'Where it is redeemed, the token after the `#`' }),
    mail: z.enum(MAIL_OUTCOMES).meta({ description: 'What became of the mail to the invited person' }),
  })
  .meta({ id: 'InvitationLink' })
export type InvitationLink = z.infer<typeof invitationLinkSchema>

const fullName = blankable(line(120))
const locationIds = z.array(z.uuid()).max(500).meta({ description: 'Empty: every location' })

export const memberChangesSchema = z
  .strictObject({ role: z.enum(ROLES), full_name: fullName, location_ids: locationIds })
  .partial()

export const newInvitationSchema = z.strictObject({
  email: emailAddress,
  role: z.enum(ROLES),
  full_name: fullName.optional(),
  location_ids: locationIds.default([]),
})

/** What the SQL functions of the team refuse, and how that is answered. */
export const TEAM_REFUSALS = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  unknown_location: [400, 'location_ids: unknown location'],
  own: [409, 'You cannot change your own role or locations, nor remove yourself'],
  member: [409, 'This e-mail belongs to a member already'],
  invited: [409, 'This e-mail is invited already'],
} as const

export const INVITATION_COLUMNS = 'id, email, full_name, role, location_ids, expires_at, created_at'
