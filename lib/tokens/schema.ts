import { z } from 'zod'
import { line } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { shownOnce } from '@/lib/openapi/shown-once'
import { MACHINE_PERMISSIONS } from '@/lib/permissions'

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
  .extend({ token: shownOnce(z.string(), 'The token itself. Only here') })
  .meta({ id: 'NewApiToken' })
export type NewApiToken = z.infer<typeof newApiTokenAnswerSchema>

export const newApiTokenSchema = z.strictObject({
  name: line(80),
  permissions: permissions.min(1).max(MACHINE_PERMISSIONS.length),
  location_ids: z.array(z.guid()).max(500).default([]).meta({ description: 'Empty: every location' }),
  expires_in_days: z.number().int().min(1).max(365).default(90),
})

/** Outcomes of the tokens' SQL functions as HTTP errors. */
export const TOKEN_REFUSALS = {
  unknown_location: { path: 'location_ids', code: 'unknown', message: 'unknown location' },
  malformed: { path: 'name', code: 'invalid', message: 'Malformed value' },
  too_many: 'TOO_MANY_TOKENS',
} as const

/** A shell command that calls the app at `origin` with a token. */
export function exampleRequest(origin: string): string {
  return `curl -H "Authorization: Bearer sbm_…" ${origin}/api/reservations`
}
