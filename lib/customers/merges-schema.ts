import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { exampleCustomer } from './examples'
import { SINGLE_FIELDS } from './guest-fields'
import { customerSchema } from './schema'

const OBSTACLES = ['already_undone', 'too_old', 'merged_since'] as const

const countsSchema = z.object({
  reservations: z.int(),
  messages: z.int(),
  tickets: z.int(),
  calendar_events: z.int(),
})

/** A merge into a customer, with the counts of moved records and whether it can be undone. */
export const mergeSchema = z
  .object({
    id: z.string(),
    merged_at: instant,
    author_name: z.string(),
    customer: z
      .object({ id: z.string(), name: z.string().nullable() })
      .meta({ description: 'Who was merged. The id leads to them again once the merge is undone' }),
    moved: countsSchema.meta({ description: 'How much came with them; 0 once the merge is undone' }),
    undone_at: instant.nullable(),
    undone_by: z.string().nullable(),
    obstacle: z.enum(OBSTACLES).nullable().meta({ description: 'Why it cannot be undone; null: it can' }),
    later_id: z.string().nullable().meta({ description: 'With merged_since: the merge to undo first' }),
  })
  .meta({ id: 'CustomerMerge', description: 'A merge of two customers in the last 30 days' })
export type CustomerMerge = z.infer<typeof mergeSchema>

const lostField = z.enum([...SINGLE_FIELDS, 'emails', 'phones', 'whatsapp_id'])

/** The two customers after a merge was undone. */
export const mergeUndoneSchema = z
  .object({
    kept: customerSchema,
    restored: customerSchema,
    not_restored: z.object({ kept: z.array(lostField), restored: z.array(lostField) }).meta({
      description:
        'Fields that were not put back, because somebody changed them since, or another customer has the e-mail or phone by now; `emails` and `phones` when one of the further ones was not',
    }),
  })
  .meta({ id: 'CustomerMergeUndone' })
export type MergeUndone = z.infer<typeof mergeUndoneSchema>

const usual = { tag: 'Customers', auth: 'session', permission: 'canAccessClientes' } as const
const TWIN = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

export const mergePaths = definePaths({
  '/api/customers/{id}/merges': {
    get: {
      ...usual,
      summary: 'The merges into a customer in the last 30 days, the latest first',
      description:
        'At most 100; there is one page. The latest can be undone first. Also the merges of those who were merged into the customer.',
      params: idParams,
      responses: {
        200: {
          description: 'The merges',
          schema: page(mergeSchema),
          example: {
            data: [
              {
                id: 'd2b1c7c4-5a0e-4b0c-9f0b-6c1a1e0f7a55',
                merged_at: '2026-11-18T17:20:00.000Z',
                author_name: 'Lucía Prieto',
                customer: { id: TWIN, name: 'Anita Ruiz' },
                moved: { reservations: 3, messages: 1, tickets: 0, calendar_events: 0 },
                undone_at: null,
                undone_by: null,
                obstacle: null,
                later_id: null,
              },
            ],
            next_cursor: null,
          },
        },
        404: notFound,
      },
    },
  },
  '/api/customer-merges/{id}/undo': {
    post: {
      ...usual,
      summary: 'Undo a merge',
      description:
        'For 30 days, the latest merge of a customer first. The merged customer comes back under their id, with the reservations, messages, tickets, appointments, points, facts, tags and consent that were theirs; fields go back where nobody changed them since. What is new since stays with the remaining customer. Whoever opted out meanwhile stays opted out on both. The two are remembered as different people.',
      params: idParams,
      responses: {
        200: {
          description: 'The two customers',
          schema: single(mergeUndoneSchema),
          example: {
            data: {
              kept: exampleCustomer,
              restored: { ...exampleCustomer, id: TWIN, email: 'anita@correo.example' },
              not_restored: { kept: ['notes'], restored: [] },
            },
          },
        },
        404: notFound,
        409: problem(
          'It was undone already (MERGE_UNDONE), is older than 30 days (MERGE_TOO_OLD), or the customer was merged again since: `later_id` comes first (MERGED_SINCE)',
          'MERGED_SINCE',
        ),
      },
    },
  },
})
