import { z } from 'zod'
import { placedClosingSchema } from '@/lib/closings/schema'
import { calendarDate, requiredText } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { pageAddress } from '@/lib/http/page-address'
import { KNOWN } from '@/lib/locations/known-days'
import { guestToKnowSchema, storedGuestSchema } from '@/lib/overview/schema'

/** The compared measures, in the order of display. */
export const MEASURES = ['covers', 'reservations', 'walk_ins', 'no_shows', 'cancelled', 'revenue'] as const
export type Measure = (typeof MEASURES)[number]

const day = calendarDate(1900, 2199)
export const morningQuery = z.object({
  date: day
    .optional()
    .meta({ description: 'The morning; its yesterday is the service day before. Default: today' }),
  location_id: z.guid().optional(),
})
/** The addresses of the page and of its PDF. */
export const morningPage = pageAddress('/morning', morningQuery)
export const morningPdfQuery = morningQuery.extend({ language: z.enum(['es', 'en']).default('es') })
export const morningPdf = pageAddress('/api/morning/pdf', morningPdfQuery)

const figuresSchema = z.object({
  covers: z.number().meta({ description: 'Guests of what was neither cancelled nor a no-show' }),
  reservations: z.number().meta({ description: 'Neither cancelled nor a no-show; walk-ins among them' }),
  walk_ins: z.number(),
  no_shows: z.number(),
  cancelled: z.number(),
  revenue: z.number().meta({ description: 'EUR, as in GET /api/stats/overview' }),
})
export type MorningFigures = z.infer<typeof figuresSchema>

const known = z.enum(KNOWN).meta({ description: 'Whether the PMS has been asked for the day' })
const comparedSchema = z.object({
  known,
  closed: z.boolean().meta({ description: 'A closed day' }),
  figures: figuresSchema.nullable().meta({ description: 'Null, not 0, where there are no data' }),
  estimated_revenue: z.number().meta({ description: 'The part of `revenue` that is an estimate' }),
  since_week: figuresSchema.nullable().meta({
    description:
      'The difference to the same weekday a week before; null without data, and where it was a closed day. In total: of the locations that have it',
  }),
  since_mean: figuresSchema
    .nullable()
    .meta({ description: 'The same to the mean of the last four such weekdays that have data' }),
  mean_days: z.int().meta({ description: 'How many of the four there are' }),
})
/** A day's figures compared with the same weekday before. */
export type Compared = z.infer<typeof comparedSchema>

const aheadSchema = z.object({
  day: z.string(),
  known,
  closed: z.boolean(),
  reservations: z.number().nullable(),
  covers: z.number().nullable().meta({ description: 'Null, not 0, where there are no data' }),
  capacity: z.number().nullable().meta({
    description:
      'Covers its shifts can serve: of each its capacity, else the seats of the tables; null: not known',
  }),
})
/** A coming day: booked covers and capacity. */
export type Ahead = z.infer<typeof aheadSchema>

export const shiftNoteSchema = z
  .object({
    id: z.string(),
    location_id: z.string(),
    day: z.string().meta({ description: 'The service day it is about' }),
    body: z.string(),
    author: z.string(),
    mine: z.boolean().meta({ description: 'Whether the caller wrote it, and so may change it' }),
    created_at: instant,
    edited_at: instant.nullable(),
  })
  .meta({ id: 'ShiftNote' })
/** A note that staff wrote at the end of a service. */
export type ShiftNote = z.infer<typeof shiftNoteSchema>

const locatedNoteSchema = shiftNoteSchema.extend({ location: z.string() })
export type LocatedNote = z.infer<typeof locatedNoteSchema>

const namedClosingSchema = placedClosingSchema.extend({ location: z.string() })

export const morningSchema = z
  .object({
    date: z.string(),
    yesterday: z.string(),
    totals: comparedSchema,
    locations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        timezone: z.string(),
        known_until: z.string().nullable().meta({ description: 'Last day the PMS has been asked for' }),
        yesterday: comparedSchema,
        ahead: z.array(aheadSchema),
      }),
    ),
    ahead: z.array(aheadSchema).meta({ description: 'Today and the seven days after it, in total' }),
    guests: z
      .array(guestToKnowSchema)
      .meta({ description: 'Whom to know today; empty without canAccessClientes' }),
    guests_total: z.int(),
    notes: z.array(locatedNoteSchema).meta({ description: 'Written about yesterday and today' }),
    closings: z
      .array(namedClosingSchema)
      .meta({ description: 'What is closed on these days, or a part of it, by day' }),
  })
  .meta({ id: 'Morning' })
/** The morning report of a date. */
export type Morning = z.infer<typeof morningSchema>

/** The result of private.morning_of: counts by location and day. */
export const storedMorningSchema = z.object({
  date: z.string(),
  locations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      timezone: z.string(),
      is_active: z.boolean(),
      pms_id: z.string().nullable(),
      known_from: z.string().nullable(),
      known_until: z.string().nullable(),
    }),
  ),
  figures: z.array(
    figuresSchema.extend({
      location_id: z.string(),
      day: z.string(),
      closed: z.boolean(),
      booked: z.number(),
      estimated_revenue: z.number(),
    }),
  ),
  ahead: z.array(
    z.object({
      location_id: z.string(),
      day: z.string(),
      closed: z.boolean(),
      booked: z.number(),
      reservations: z.number(),
      covers: z.number(),
      capacity: z.number().nullable(),
      has_hours: z.boolean(),
      shifts: z.number(),
    }),
  ),
  notes: z.array(locatedNoteSchema),
  // Reports that were queued before closings were known have none.
  closings: z.array(namedClosingSchema).default([]),
  guests: z.array(storedGuestSchema.extend({ found: z.number() })),
})
export type StoredMorning = z.infer<typeof storedMorningSchema>

const body = requiredText(2000)
export const newShiftNote = z.strictObject({
  location_id: z.guid(),
  body,
  day: day
    .optional()
    .meta({ description: 'The service day, at most a week ago; default: the one under way' }),
})
export const shiftNoteChange = z.strictObject({ body })

/** The possible hours for the report's e-mail; the service day ends at six. */
export const MORNING_HOURS = [6, 7, 8, 9, 10, 11, 12] as const
const hour = z
  .int()
  .min(6)
  .max(12)
  .nullable()
  .meta({ description: 'The local hour at which it comes; null: never' })
export const morningMailSchema = z.object({
  hour,
  timezone: z.string().meta({ description: 'Of the person’s first location, else the group’s' }),
})
export type MorningMail = z.infer<typeof morningMailSchema>
export const morningMailChange = z.strictObject({ hour })
