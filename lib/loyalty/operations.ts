import { z } from 'zod'
import { page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  changesSchema,
  configSchema,
  DEFAULT_CONFIG,
  previewSchema,
  ruleSchema,
  rulesSchema,
  tierSchema,
} from './schema'

const tag = 'Loyalty'
const tierId = '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11'
const locationId = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const change = {
  changes: [{ location_id: locationId, tier_id: tierId, rule: { min_spend: 1000, min_visits: 5 } }],
}

export const loyaltyPaths = definePaths({
  '/api/loyalty/rules': {
    get: {
      summary: 'The loyalty rules of the caller’s locations',
      tag,
      auth: 'session',
      machines: true,
      responses: {
        200: {
          description: 'Every rule; there is one page',
          schema: page(ruleSchema),
          example: {
            data: [{ location_id: locationId, tier_id: tierId, min_spend: 1000, min_visits: 5 }],
            next_cursor: null,
          },
        },
      },
    },
    patch: {
      summary: 'Change rules of several locations',
      description: 'All or none. Customers keep their tiers until they are next evaluated.',
      tag,
      auth: 'session',
      permission: 'canAccessMarketing',
      body: changesSchema,
      bodyExample: change,
      responses: {
        200: {
          description: 'Saved',
          schema: z.object({ success: z.literal(true) }),
          example: { success: true },
        },
        403: problem('No permission, or a location the caller does not work in', 'FOREIGN_LOCATION'),
      },
    },
    post: {
      contract: true,
      summary: 'Save the loyalty rules of a location',
      description: 'All or none. Customers keep their tiers until they are next evaluated.',
      tag,
      auth: 'session',
      permission: 'canWorkInOffice',
      machines: 'canAccessMarketing',
      body: rulesSchema,
      bodyExample: {
        locationId,
        rules: [{ tier_id: tierId, min_spend: 1000, min_visits: 5 }],
      },
      errors: { unauthorized: 'No autorizado', invalid: 'Datos incompletos' },
      failure: (message: string) => ({ error: message }),
      responses: {
        200: {
          description: 'Saved',
          schema: z.object({ success: z.literal(true) }),
          example: { success: true },
        },
        403: problem(
          'A location the caller does not work in; or the organization’s `limit_marketing_to_roles` is on and the role lacks canAccessMarketing',
          'FOREIGN_LOCATION',
        ),
      },
    },
  },
  '/api/loyalty/config': {
    get: {
      contract: true,
      summary: 'The loyalty programme',
      description: 'The stored record, or the default tiers. Needs no session.',
      tag,
      auth: 'optional',
      responses: {
        200: { description: 'The programme', schema: configSchema, example: DEFAULT_CONFIG },
      },
    },
    put: {
      contract: true,
      summary: 'Store the loyalty programme',
      description: 'Tiers are upserted by name, in list order.',
      tag,
      auth: 'session',
      roles: ['super_admin'],
      body: configSchema,
      bodyExample: DEFAULT_CONFIG,
      failure: (message: string) => ({ error: message }),
      responses: {
        200: { description: 'The stored record', schema: configSchema, example: DEFAULT_CONFIG },
      },
    },
  },
  '/api/loyalty/tiers': {
    get: {
      summary: 'The tiers customers can hold, the lowest first',
      tag,
      auth: 'session',
      machines: true,
      responses: {
        200: {
          description: 'Every tier; there is one page',
          schema: page(tierSchema),
          example: {
            data: [{ id: tierId, name: 'Oro', rank: 3, points_multiplier: 1.5 }],
            next_cursor: null,
          },
        },
      },
    },
  },
  '/api/loyalty/preview': {
    post: {
      summary: 'What a recalculation would do if rules were changed',
      description: 'Nothing is written. Without changes it is by the rules as they are.',
      tag,
      auth: 'session',
      permission: 'canAccessMarketing',
      body: changesSchema,
      bodyExample: change,
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'How many customers would rise to which tier, by location',
          schema: single(previewSchema),
          example: {
            data: {
              evaluated: 3120,
              rises: [{ location_id: locationId, tier_id: tierId, customers: 14 }],
            },
          },
        },
      },
    },
  },
  '/api/loyalty/recalculate': {
    post: {
      summary: 'Raise every customer who meets a rule',
      tag,
      auth: 'session',
      permission: 'canAccessMarketing',
      responses: {
        200: {
          description: 'How many customers were evaluated, and how many rose',
          schema: z.object({ success: z.literal(true), evaluated: z.int(), upgraded: z.int() }),
          example: { success: true, evaluated: 3120, upgraded: 14 },
        },
      },
    },
  },
})
