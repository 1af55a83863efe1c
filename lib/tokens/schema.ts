import { z } from 'zod'
import { MACHINE_PERMISSIONS } from '@/lib/auth/permissions'
import { line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'

const permissions = z.array(z.enum(MACHINE_PERMISSIONS))

export const apiTokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'How the token begins, to recognize it by' }),
    permissions,
    location_ids: z.array(z.string()).meta({ description: 'Empty: every location' }),
    created_by: z.string(),
    created_at: instant,
    expires_at: instant,
    last_used_at: instant.nullable().meta({ description: 'To the minute' }),
    revoked_at: instant.nullable(),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof apiTokenSchema>

export const newApiTokenAnswerSchema = apiTokenSchema
  .extend({ token: z.string().meta({ description: 'The token itself. Only here' }) })
  .meta({ id: 'NewApiToken' })
export type NewApiToken = z.infer<typeof newApiTokenAnswerSchema>

export const newApiTokenSchema = z.strictObject({
  name: line(80),
  permissions: permissions.min(1).max(MACHINE_PERMISSIONS.length),
  location_ids: z.array(z.uuid()).max(500).default([]).meta({ description: 'Empty: every location' }),
  expires_in_days: z.number().int().min(1).max(365).default(90),
})

/** What the SQL functions of the tokens refuse, and how that is answered. */
export const TOKEN_REFUSALS = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  unknown_location: [400, 'location_ids: unknown location'],
  malformed: [400, 'name: Malformed value'],
  too_many: [409, 'There are 50 tokens in use already: revoke one first'],
} as const
