import { z } from 'zod'
import { pageAddress } from '@/lib/http/page-address'

/** By what the cohorts can be split. */
export const SPLITS = ['location', 'source', 'channel'] as const
export type Split = (typeof SPLITS)[number]
/** The periods that the page offers, in calendar months. */
export const PERIODS = [6, 12, 24, 36] as const
/** Days from one step of a cohort to the next, and how many steps are counted. */
export const [STEP_DAYS, STEPS] = [30, 12]
/** The steps of the table: within 30, 60 and 90 days. */
export const HORIZONS = [1, 2, 3] as const

export const reportsQuery = z.object({
  months: z.coerce
    .number()
    .int()
    .min(1)
    .max(36)
    .default(12)
    .meta({ description: 'Calendar months up to today, the current one included' }),
  location_id: z.guid().optional(),
  split: z
    .enum(SPLITS)
    .optional()
    .meta({ description: 'By the location or the channel of the first visit, or by the customer’s source' }),
})
export type ReportsQuery = z.infer<typeof reportsQuery>

/** What a file holds. */
export const REPORTS = ['weeks', 'hours', 'channels', 'cohorts', 'tiers'] as const
export const reportsExportQuery = reportsQuery.extend({
  report: z.enum(REPORTS).default('cohorts'),
  format: z.enum(['csv', 'xlsx']).default('csv'),
  language: z.enum(['es', 'en']).default('es').meta({
    description: 'Of the first line and the words; a CSV in Spanish has semicolons and a decimal comma',
  }),
})

/** The addresses of the page and of its files. */
export const reportsPage = pageAddress('/reports', reportsQuery)
export const reportsExport = pageAddress('/api/reports/export', reportsExportQuery)

const count = z.int().min(0)
const cohortSchema = z.object({
  month: z.string().meta({ description: 'The first day of the month of the first visits' }),
  guests: count.meta({ description: 'Customers whose first visit was in the month' }),
  returned: z.array(count.nullable()).length(STEPS).meta({
    description:
      'How many of them had come again, on a later day, within 30, 60, … 360 days; null: the cohort is too young to know',
  }),
})
/** The guests who came for the first time in a month, and how many of them came again. */
export type Cohort = z.infer<typeof cohortSchema>

const groupSchema = z.object({
  key: z.string().nullable().meta({
    description: 'The id of the location, `pms`, `manual` or `walk_in`, or the source; null: all, or unknown',
  }),
  name: z.string().nullable(),
  rest: z.boolean().meta({ description: 'Sources beyond the twelve with most guests, together' }),
  cohorts: z.array(cohortSchema),
})
/** The cohorts of a part of the guests; without a split there is one part. */
export type CohortGroup = z.infer<typeof groupSchema>

const tierSchema = z.object({
  id: z.string().nullable(),
  name: z.string().nullable(),
  known: z.boolean().meta({
    description: 'False: visits without a customer record. True with a null id: guests without a tier',
  }),
  guests: count,
  visits: count,
  covers: count,
  revenue: z.number().meta({ description: 'EUR, as in GET /api/stats/overview' }),
  estimated_revenue: z.number(),
})
/** The visits of a period by the guests who hold a tier today. */
export type TierRevenue = z.infer<typeof tierSchema>

const day = z.string()
export const cohortsSchema = z.object({
  from: day,
  to: day,
  closed_until: day.meta({ description: 'The last day whose services are over in every location' }),
  data_from: day.nullable().meta({
    description: 'The first visit on record: who came before counts as new. Null: there are no visits',
  }),
  groups: z.array(groupSchema),
})
export const tiersSchema = z.object({ from: day, to: day, tiers: z.array(tierSchema) })

const served = z.object({
  reservations: count,
  covers: count,
  visits: count,
  no_shows: count,
  cancelled: count,
  revenue: z.number().meta({ description: 'EUR, as in GET /api/stats/overview' }),
  estimated_revenue: z.number(),
})
/** What services that are over have served. */
export type Served = z.infer<typeof served>
const weekSchema = z.object({
  week: day.meta({ description: 'Its Monday' }),
  served: served.nullable().meta({ description: 'Of services that are over; null: no data' }),
  booked: z
    .object({ reservations: count, covers: count })
    .nullable()
    .meta({ description: 'From the current service day on; null: no data' }),
  year_before: served.nullable().meta({
    description:
      'The same weekdays 52 weeks before; null: no data. In totals also null unless all locations have it',
  }),
})
/** A week of a location, or of all. */
export type Week = z.infer<typeof weekSchema>
const weeksSchema = z.object({
  last_week: day.meta({ description: 'The Monday of the last week that is over' }),
  totals: z.array(weekSchema).meta({ description: 'The 13 weeks before this one, this one and the next' }),
  locations: z.array(z.object({ id: z.string(), name: z.string(), weeks: z.array(weekSchema) })),
})
/** What was served and is booked by week and location. */
export type Weeks = z.infer<typeof weeksSchema>

/** How reservations come. */
export const CHANNELS = ['pms', 'manual', 'walk_in'] as const
const hoursPart = z.object({
  days: z.array(count).length(7).meta({ description: 'Service days with guests, Mondays first' }),
  covers: z.array(z.array(count).length(24)).length(7).meta({
    description:
      'Of each weekday of the service day (Mondays first) by the local hour, 0 to 23: 0 to 5 are of the night after it',
  }),
  channels: z.array(z.object({ channel: z.enum(CHANNELS), visits: count, covers: count })),
})
/** When the guests of a location, or of all, came, and how they booked. */
export type HoursPart = z.infer<typeof hoursPart>
const hoursSchema = z.object({
  from: day,
  to: day.meta({ description: 'The last day whose services are over in every location' }),
  all: hoursPart.meta({ description: 'Days are those with guests in any of the locations' }),
  locations: z.array(hoursPart.extend({ id: z.string(), name: z.string() })),
})
/** The covers of visits to services that are over by weekday and hour, and by channel. */
export type Hours = z.infer<typeof hoursSchema>

export const reportsSchema = cohortsSchema
  .extend({ tiers: tiersSchema.shape.tiers, weeks: weeksSchema, hours: hoursSchema })
  .meta({ id: 'Reports' })
/** What was served by week, by weekday and hour and by channel, new guests and their return, and revenue by tier. */
export type Reports = z.infer<typeof reportsSchema>
