import { z } from 'zod'
import { customerFilters } from '@/lib/customers/filters'
import { filterText } from '@/lib/http/fields'
import { pageAddress } from '@/lib/http/page-address'
import { EXAMPLES } from './proposals'

/**
 * The page of a new segment: an example, or the filters of the customer list, and a name; with the campaign that it is
 * for, whose editor follows.
 */
export const newSegmentPage = pageAddress(
  '/customers/segments/new',
  customerFilters.extend({
    example: z.enum(EXAMPLES).optional(),
    name: filterText(120),
    campaign: z.guid().toLowerCase().optional(),
  }),
)
