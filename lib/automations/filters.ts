import { z } from 'zod'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { messageFilters } from '@/lib/messaging/filters'
import { pageQuery } from '@/lib/openapi/common'
import { AUTOMATION_STATUSES, resultsQuery } from './schema'
import { AUTOMATION_TYPES } from './types'

/** What narrows the list, each key a column; each filter must hold. */
export const automationFilters = z.object({
  type: z.enum(AUTOMATION_TYPES).optional(),
  status: z.enum(AUTOMATION_STATUSES).optional(),
})

export const automationsQuery = pageQuery.extend(automationFilters.shape)

/** The page of the list. */
export const automationsPage = pageAddress('/automations', automationFilters.extend({ cursor: cursorField }))

/** An automation's page: the days of its results, its messages from `cursor`, its runs from `runs_cursor`. */
export const automationPage = (id: string) =>
  pageAddress(
    `/automations/${id}`,
    messageFilters
      .pick({ run_id: true, status: true })
      .extend({ days: resultsQuery.shape.days, cursor: cursorField, runs_cursor: cursorField }),
  )
/** What its address asks for. */
export type AutomationView = ReturnType<ReturnType<typeof automationPage>['read']>
