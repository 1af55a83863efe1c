import { z } from 'zod'

const period = { from: z.string(), to: z.string() }
const figures = {
  reservations: z.int(),
  covers: z.int().meta({ description: 'Guests of what was neither cancelled nor a no-show' }),
  completed: z.int(),
  visits: z.int().meta({
    description:
      'Reservations whose guests came: completed, seated, or confirmed and never marked, once the service is over',
  }),
  cancelled: z.int(),
  no_shows: z.int(),
  revenue: z.number().meta({
    description: 'EUR of the visits; without an amount, guests × the location’s average spend',
  }),
  estimated_revenue: z
    .number()
    .meta({ description: 'The part of `revenue` that is guests × average spend, for want of an amount' }),
}
export const figuresSchema = z.object(figures)
/** What happened in a period. */
export type Figures = z.infer<typeof figuresSchema>

export const overviewSchema = z
  .object({
    ...period,
    totals: figuresSchema,
    previous: z.object({ ...period, ...figures }),
    days: z.array(z.object({ date: z.string(), ...figures })),
    locations: z.array(z.object({ id: z.string(), name: z.string(), ...figures })),
    customers: z.object({
      total: z.int(),
      by_tier: z.array(z.object({ id: z.string(), name: z.string(), customers: z.int() })),
    }),
  })
  .meta({ id: 'Overview' })
/** The figures of a period, its days and locations, and of the equally long period before. */
export type Overview = z.infer<typeof overviewSchema>

// Postgres knows more dates than anyone books; z.iso.date also lets the year 0000 pass.
const date = z.iso
  .date()
  .refine((value) => value >= '1900-01-01' && value < '2200-01-01', 'out of range')
  .optional()

export const overviewQuerySchema = z.object({
  from: date.meta({ description: 'First service day; default: six days before `to`' }),
  to: date.meta({ description: 'Last service day; default: the current one' }),
  location_id: z.uuid().optional(),
})
