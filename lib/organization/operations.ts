import { z } from 'zod'
import { assignedLocationSchema } from '@/lib/locations/schema'
import { notFound, problem, unconfirmed } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  limitParams,
  organizationChangesSchema,
  organizationSchema,
  pendingSchema,
  seenSchema,
} from './schema'

const organization = {
  id: '0f8b6f2a-2f3f-4f5e-9c1b-8a1d0e7c5b42',
  name: 'Grupo Sobremesa',
  slug: 'grupo-sobremesa',
  isPlatformAdminView: false,
}

const settings = {
  id: organization.id,
  name: organization.name,
  slug: organization.slug,
  timezone: 'Europe/Madrid',
  show_setup: true,
  frequency_cap_days: 7,
  quiet_from: '21:30',
  quiet_until: '09:30',
  limit_marketing_to_roles: false,
  require_second_factor: false,
  horizon_days: null,
  keep_job_runs_days: 90,
  keep_automation_runs_days: 365,
  keep_webhook_receipts_days: 90,
  keep_failed_rows_days: 30,
  ai_daily_calls: 500,
  ai_daily_calls_per_person: 100,
  ai_daily_tokens: 3_000_000,
  ai_daily_tokens_per_person: 600_000,
  approve_above: null,
  campaign_approve_above: 5000,
  offer_tables_minutes: null,
  control_share: 10,
  postal_address: 'Calle Mayor 1, 28013 Madrid',
  language: 'es',
  sms_price: null,
}

const waiting = { campaign_approve_above: { value: 8000, by: 'Ana Ruiz', at: '2026-11-20T12:00:00.000Z' } }
const answer = z.object({ data: organizationSchema, pending: pendingSchema.optional() })

export const organizationPaths = definePaths({
  '/api/organization/context': {
    get: {
      contract: true,
      summary: "The caller's organization, or their locations and brands",
      tag: 'Organization',
      auth: 'optional',
      query: z.object({
        orgId: z.string().optional().meta({ description: 'Accepted and ignored' }),
        view: z.string().optional().meta({ description: '`assignments` for the locations and brands' }),
      }),
      failure: (message: string) => ({ success: false, error: message }),
      responses: {
        200: {
          description: 'Without a session `data` is null; with `view=assignments` the second form',
          schema: z.union([
            z.object({
              success: z.literal(true),
              data: z
                .object({
                  id: z.string(),
                  name: z.string(),
                  slug: z.string(),
                  isPlatformAdminView: z.literal(false),
                })
                .nullable(),
              isPlatformAdmin: z.literal(false),
              message: z.string().optional(),
            }),
            z.object({
              user_id: z.string(),
              locations: z.array(assignedLocationSchema),
              brand_ids: z.array(z.string()),
            }),
          ]),
          example: { success: true, data: organization, isPlatformAdmin: false },
        },
        401: problem('`view=assignments` without a session', 'UNAUTHORIZED'),
      },
    },
  },
  '/api/organization': {
    get: {
      summary: "The caller's organization and its settings",
      tag: 'Organization',
      auth: 'session',
      machines: true,
      responses: {
        200: {
          description: 'The organization; `pending` only while a limit of approval waits to be raised',
          schema: answer,
          example: { data: settings },
        },
      },
    },
    patch: {
      summary: 'Change the settings of the organization',
      description:
        'Only a super_admin changes `require_second_factor`; people with a second factor confirm it with a code. To raise a limit of approval (`approve_above`, `campaign_approve_above`) or to switch it off takes a second administrator: it waits for their approval or, where nobody else may approve it, for 72 hours after a notice to all administrators.',
      tag: 'Organization',
      auth: 'session',
      permission: 'canViewSettings',
      body: organizationChangesSchema,
      bodyExample: { quiet_from: '21:30', quiet_until: '09:30' },
      responses: {
        200: { description: 'As it is now', schema: answer, example: { data: settings } },
        202: {
          description: 'As it is now; what waits is in `pending`, the rest is saved',
          schema: answer,
          example: { data: settings, pending: waiting },
        },
        403: unconfirmed,
        409: problem('A super_admin without a second factor cannot require it', 'OWN_SECOND_FACTOR_FIRST'),
      },
    },
  },
  '/api/organization/pending/{limit}/approve': {
    post: {
      summary: 'Raise a limit of approval as another administrator asked',
      description:
        'By an administrator of all locations; not who asked, nor whom they invited or gave a role within 30 days, nor the other way round.',
      tag: 'Organization',
      auth: 'session',
      permission: 'canViewSettings',
      params: limitParams,
      query: seenSchema,
      responses: {
        200: { description: 'As it is now', schema: answer, example: { data: settings } },
        403: problem('The role may not, or another person has to', 'OTHER_APPROVER_NEEDED'),
        404: notFound,
        409: problem('It was asked anew since `at`', 'RUN_CHANGED'),
      },
    },
  },
  '/api/organization/pending/{limit}': {
    delete: {
      summary: 'Drop what was asked for: the limit of approval stays as it is',
      tag: 'Organization',
      auth: 'session',
      permission: 'canViewSettings',
      params: limitParams,
      responses: { 204: { description: 'Dropped' }, 404: notFound },
    },
  },
  '/api/admin/seed-locations': {
    get: {
      contract: true,
      summary: 'Create the demo brands and locations that are missing',
      tag: 'Admin',
      auth: 'session',
      permission: 'canViewSettings',
      changes: true,
      failure: (message: string) => ({ success: false, error: message, status: 500 }),
      responses: {
        200: {
          description: 'The names of what was created',
          schema: z.object({
            success: z.literal(true),
            seeded: z.object({ brands: z.array(z.string()), locations: z.array(z.string()) }),
          }),
          example: { success: true, seeded: { brands: [], locations: [] } },
        },
      },
    },
  },
})
