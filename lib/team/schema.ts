import { z } from 'zod'
import { blankable, emailAddress, line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { shownOnce } from '@/lib/openapi/shown-once'
import { ROLES } from '@/lib/permissions'

export const memberSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    full_name: z.string().nullable(),
    role: z
      .enum(ROLES)
      .nullable()
      .meta({ description: 'null, with `broken`: the stored role is none of a person’s; give them one' }),
    broken: z.literal(true).optional(),
    all_locations: z.boolean().meta({ description: 'Bound to no location: works in all of them' }),
    location_ids: z.array(z.string()).meta({ description: 'Of their locations, those the caller works in' }),
    created_at: instant,
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof memberSchema>

/** Whether the mail with the link was sent; the invitation exists in any case. */
const MAIL_OUTCOMES = ['sent', 'simulated', 'failed', 'unknown', 'no_provider', 'no_app_url'] as const

export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    full_name: z.string().nullable(),
    role: z.enum(ROLES),
    location_ids: z.array(z.string()),
    expires_at: instant.meta({ description: 'Until when its link works; a new link lasts seven days more' }),
    mail: z
      .enum(MAIL_OUTCOMES)
      .nullable()
      .meta({ description: 'Whether the mail with that link was sent; null: not known yet' }),
    created_at: instant,
  })
  .meta({ id: 'Invitation' })

export const invitationLinkSchema = invitationSchema
  .extend({
    token: shownOnce(z.string(), 'Redeems the invitation once. Only here and in the mail'),
    url: shownOnce(z.string(), 'Where it is redeemed, the token after the `#`'),
    mail: z.enum(MAIL_OUTCOMES).meta({ description: 'Whether the mail to the invited person was sent' }),
  })
  .meta({ id: 'InvitationLink' })
export type InvitationLink = z.infer<typeof invitationLinkSchema>

export const passwordLinkSchema = z
  .object({
    url: shownOnce(z.string(), 'Where the person chooses a new password. Works once'),
    expires_at: instant.meta({ description: 'Until when it works: an hour' }),
  })
  .meta({ id: 'PasswordLink' })
export type PasswordLink = z.infer<typeof passwordLinkSchema>

const fullName = blankable(line(120))
const locationIds = z
  .array(z.guid())
  .max(500)
  .meta({ description: 'Empty: every location; `sala` needs at least one' })

export const memberChangesSchema = z
  .strictObject({ role: z.enum(ROLES), full_name: fullName, location_ids: locationIds })
  .partial()

export const newInvitationSchema = z.strictObject({
  email: emailAddress,
  role: z.enum(ROLES),
  full_name: fullName.optional(),
  location_ids: locationIds.default([]),
})

/** Outcomes of the team's SQL functions as HTTP errors. */
export const TEAM_REFUSALS = {
  unknown_location: { path: 'location_ids', code: 'unknown', message: 'unknown location' },
  needs_location: { path: 'location_ids', code: 'name_yours', message: 'this role needs a location' },
  own: 'OWN_ACCOUNT',
  member: 'ALREADY_MEMBER',
  invited: 'ALREADY_INVITED',
} as const

export const INVITATION_COLUMNS = 'id, email, full_name, role, location_ids, expires_at, mail, created_at'
