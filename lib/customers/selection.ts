import { z } from 'zod'
import { line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { customerFilters, customersExportQuery, SORTS } from './filters'

/** The maximum number of customers chosen one by one. */
export const MAX_CHOSEN = 500
/** The maximum number of customers that filters may match for a bulk change: private.tag_changes stores as many. */
export const MAX_MATCHING = 5000

const ids = z
  .array(z.guid())
  .min(1)
  .max(MAX_CHOSEN)
  .transform((given) => [...new Set(given)])

/** A tag for many customers: the chosen ones, or all that match the filters of the list. */
export const tagChange = z
  .strictObject({
    action: z.enum(['add', 'remove']),
    tag: line(60),
    ids: ids.optional(),
    filters: z
      .strictObject(customerFilters.shape)
      .optional()
      .meta({
        description: `As the list takes them; {} is every customer. ${MAX_MATCHING} may match at most`,
      }),
  })
  .refine(
    (body) => (body.ids === undefined) !== (body.filters === undefined),
    problemAs('one_required', 'Needs either ids or filters'),
  )

/** The result of a bulk change. */
export const tagChanged = z
  .object({
    id: z.string().nullable().meta({
      description: 'Takes the change back, at DELETE /api/customers/tags/{id}; null: no tag changed',
    }),
    changed: z.int().meta({ description: 'Customers whose tags changed' }),
    full: z.int().meta({ description: 'Customers who have 50 tags already, and did not get another' }),
  })
  .meta({ id: 'TagChange' })
export type TagChanged = z.infer<typeof tagChanged>

/** The customers chosen from the list, as a file. */
export const chosenExport = z.strictObject({
  ids,
  sort: z.enum(SORTS).default('recent'),
  language: customersExportQuery.shape.language,
})

export const customerCount = z
  .object({
    customers: z.int().meta({ description: `${MAX_MATCHING} at most` }),
    more: z.boolean().meta({ description: 'More than that match' }),
  })
  .meta({ id: 'CustomerCount' })
export type CustomerCount = z.infer<typeof customerCount>
