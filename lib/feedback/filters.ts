import { z } from 'zod'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { pageQuery } from '@/lib/openapi/common'

/** The periods of the list, in days. */
export const PERIODS = ['7', '30', '90', '365'] as const

/** The filters of the feedback, with the same names in the page's address, the API and the verb. */
export const feedbackFilters = z.object({
  location_id: z.guid().optional(),
  score: z.coerce.number().int().min(1).max(5).optional(),
  customer_id: z.guid().optional(),
  days: z.enum(PERIODS).optional().meta({ description: 'Only answers of the last days' }),
})

export const feedbackQuery = pageQuery.extend(feedbackFilters.shape)
export type FeedbackQuery = z.infer<typeof feedbackQuery>

/** The page of the feedback. */
export const feedbackPage = pageAddress(
  '/feedback',
  feedbackFilters.omit({ customer_id: true }).extend({ cursor: cursorField }),
)
