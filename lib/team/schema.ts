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
    created_at: instant,
  })
  .meta({ id: 'Invitation' })

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

export const INVITATION_COLUMNS = 'id, email, full_name, role, location_ids, created_at'
