import { single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { identityChangesSchema, identitySchema } from './schema'

const example = {
  data: {
    likely: 0.5,
    certain: 0.999,
    learned_at: '2026-11-20T03:00:00.000Z',
    learned_from: 3000,
    waiting: 0,
    weights: [{ field: 'phone', level: 'exact', bits: 17.7 }],
  },
}
const usual = { tag: 'Customers', auth: 'session', permission: 'canViewSettings' } as const

export const identityPaths = definePaths({
  '/api/identity': {
    get: {
      ...usual,
      summary: 'How it is decided which guests are one person',
      responses: { 200: { description: 'Thresholds and weights', schema: single(identitySchema), example } },
    },
    patch: {
      ...usual,
      summary: 'Change from when guests are suggested as one person',
      description: 'Afterwards the guests concerned are compared again. `likely` must be below `certain`.',
      body: identityChangesSchema,
      bodyExample: { likely: 0.8 },
      responses: { 200: { description: 'As it is now', schema: single(identitySchema), example } },
    },
  },
})
