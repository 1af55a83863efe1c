import { z } from 'zod'
import { optionalText } from '@/lib/http/fields'
import { idParams, notFound, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { allergiesField, factSchema, suggestedFacts } from './facts-schema'
import { fieldsWith, GUEST_FIELDS, pick } from './guest-fields'
import { customerSchema } from './schema'

export const guestCardSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    tier: z.string().nullable(),
    ...pick(customerSchema.shape, fieldsWith({ floor: true })),
    allergies: allergiesField,
    facts: z.array(factSchema).meta({ description: 'What staff recorded' }),
    suggested: suggestedFacts,
  })
  .meta({ id: 'GuestCard', description: 'What the floor has to know of a guest: no addresses, no spend' })
export type GuestCard = z.infer<typeof guestCardSchema>

const guestNotesSchema = z.strictObject({ notes: optionalText(GUEST_FIELDS.notes.limit) })

const usual = {
  tag: 'Service',
  auth: 'session',
  permission: 'canUseGuestCards',
  machines: 'canAccessClientes',
} as const
const card = {
  schema: single(guestCardSchema),
  example: {
    data: {
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      name: 'Ana Ruiz',
      tier: 'Oro',
      tags: ['habitual'],
      notes: 'Prefiere la mesa del rincón',
      allergies: ['gluten'],
      facts: [{ code: 'gluten' as const, kind: 'allergy' as const, note: null }],
      suggested: [],
    },
  },
}

export const guestCardPaths = definePaths({
  '/api/service/guests/{id}': {
    get: {
      ...usual,
      summary: 'The card of a guest, for the floor',
      description:
        'For who may not read customers only of guests with a reservation in the caller’s locations. Its facts are changed with PUT /api/customers/{id}/facts.',
      params: idParams,
      responses: { 200: { description: 'The card', ...card }, 404: notFound },
    },
    patch: {
      ...usual,
      summary: 'Change the notes on the card of a guest',
      params: idParams,
      body: guestNotesSchema,
      bodyExample: { notes: 'Prefiere la mesa del rincón' },
      responses: { 200: { description: 'The card', ...card }, 404: notFound },
    },
  },
})
