import { z } from 'zod'
import { filterText } from '@/lib/http/fields'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { pageQuery } from '@/lib/openapi/common'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import { CONSENT_FILTERS } from './consent'

/** How a customer list may be ordered: by the latest visit, name, spend or number of visits. */
export const SORTS = ['recent', 'name', 'spend', 'visits'] as const
export type CustomerSort = (typeof SORTS)[number]

/**
 * Groups of customers a list can show. `inactive`: came once, but not in the last 90 days. `new`: created in the last
 * 30 days. `vip`: of the tier Oro or above (of rank 3 or above where no tier is called Oro). `birthday`: within the
 * next 7 days, today included; 29 February counts on the 28th in common years. `no_show`: at least one no-show.
 */
export const CUSTOMER_SEGMENTS = ['inactive', 'new', 'vip', 'birthday', 'no_show'] as const

/**
 * The filters of the list of customers. The same keys are the parameters of the page's address and of the API, the
 * verb's argument and the fields of list_customers' `p_filters`.
 */
export const customerFilters = z.object({
  search: filterText(200).meta({ description: 'Words of name, e-mail, phone or company' }),
  tag: filterText(60),
  tier: filterText(100).meta({ description: 'A tier’s id or name' }),
  location_id: z.guid().optional(),
  segment: z.enum(CUSTOMER_SEGMENTS).optional().meta({
    description:
      'inactive: no visit for 90 days; new: created within 30 days; vip: tier Oro or above; birthday: within the next 7 days; no_show: at least one',
  }),
  segment_id: z.guid().optional().meta({
    description: 'Those of a segment (/api/segments); someone bound to locations gets the guests of these',
  }),
  inactive_days: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .optional()
    .meta({ description: 'Came once, but not in so many days' }),
  rhythm: z.enum(RHYTHM_STATES).optional().meta({
    description:
      'By the guest’s own rhythm of visits: on_time, at_risk or lost; unknown: came on fewer than three days; overdue: away for longer than usual',
  }),
  consent: z.enum(CONSENT_FILTERS).optional().meta({
    description:
      '`<channel>:<state>`; state: a basis (opt_in, existing_customer, none), opted_out, or reachable (an address, a basis and no opt-out)',
  }),
})

/** Filters that are set. */
export type CustomerFilters = z.infer<typeof customerFilters>

const ordered = customerFilters.extend({ sort: z.enum(SORTS).default('recent') })

/** A page of the list. */
export const customersQuery = ordered.extend({
  cursor: z.string().max(8000).optional().meta({ description: 'next_cursor of the page before' }),
  limit: pageQuery.shape.limit,
})
export type CustomersQuery = z.infer<typeof customersQuery>

/** The same filters and order for the whole list as a file. */
export const customersExportQuery = ordered.extend({
  language: z.enum(['es', 'en']).default('es').meta({
    description: 'Of the first line; Spanish has semicolons and a decimal comma, English commas and a point',
  }),
})

/** The page of the list. */
export const customersPage = pageAddress('/customers', ordered.extend({ cursor: cursorField }))
/** The parsed address of the list. */
export type CustomerList = ReturnType<typeof customersPage.read>
/** The same list as a file. */
export const customersExport = pageAddress('/api/customers/export', customersExportQuery)

export const citiesQuery = z.strictObject({
  search: filterText(120).meta({
    description: 'What the city begins with; accents and capitals make no difference',
  }),
})
