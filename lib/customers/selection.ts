import { z } from 'zod'
import { line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { customerFilters, customersExportQuery, SORTS } from './filters'

/** How many customers one may choose one by one. */
export const MAX_CHOSEN = 500
/** How many customers a filter may match for a change of all of them: private.tag_changes keeps as many. */
export const MAX_MATCHING = 5000

const ids = z
  .array(z.uuid())
  .min(1)
  .max(MAX_CHOSEN)
  .transform((given) => [...new Set(given)])

/** A tag for many customers: those chosen, or all that the filters of the list match. */
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

/** What became of it. */
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
