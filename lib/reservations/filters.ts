import { z } from 'zod'
import { calendarDate, filterText } from '@/lib/http/fields'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { pageQuery } from '@/lib/openapi/common'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'

export const VIEWS = ['list', 'timeline', 'week'] as const
export const SOURCES = ['pms', 'manual'] as const
/** The least no-show risks that a list can be narrowed to. */
export const RISK_FILTERS = ['high', 'medium'] as const
const statuses = z.array(z.enum(RESERVATION_STATUSES))

/** The filters of a service day's reservations. The page's address, the API and the verb use the same names. */
export const reservationFilters = z.object({
  date: calendarDate(1900, 2199)
    .optional()
    .meta({ description: 'The service day (it ends at 06:00 local); the current one by default' }),
  location_id: z.guid().optional(),
  status: z
    .string()
    .max(200)
    .transform((list) => list.split(',').filter(Boolean))
    .pipe(statuses)
    .optional()
    .meta({ description: 'One or more, with commas between them' }),
  source: z.enum(SOURCES).optional().meta({ description: 'From the PMS, or entered by hand' }),
  risk: z.enum(RISK_FILTERS).optional().meta({
    description:
      'Only those ahead with at least this no-show risk, by the guest’s earlier bookings and how this one was made. A page may then have fewer than `limit`, and still a next one.',
  }),
  search: filterText(200).meta({ description: 'Words of the name under which it is booked' }),
})

export const reservationsQuery = reservationFilters.extend(pageQuery.shape)
export type ReservationsQuery = z.infer<typeof reservationsQuery>

/** The most days one file holds. */
export const EXPORT_DAYS = 31

/** The same filters for a day, or some days, as a file. */
export const reservationsExportQuery = reservationFilters.extend({
  until: calendarDate(1900, 2199)
    .optional()
    .meta({
      description: `The last service day, at most ${EXPORT_DAYS} with the first; by default \`date\``,
    }),
  format: z.enum(['csv', 'xlsx']).default('csv'),
  language: z.enum(['es', 'en']).default('es').meta({
    description: 'Of the first line and the words; a CSV in Spanish has semicolons and a decimal comma',
  }),
})
export const reservationsExport = pageAddress('/api/reservations/export', reservationsExportQuery)

/** A day's reservations to print. */
export const reservationsPrint = pageAddress(
  '/print/reservations',
  reservationFilters.pick({ date: true, location_id: true }),
)

/** The page of a day or a week; `reservation` is the id of the one whose drawer is open. */
export const reservationsPage = pageAddress(
  '/reservations',
  reservationFilters.extend({
    cursor: cursorField,
    view: z.enum(VIEWS).default('list'),
    reservation: z.guid().optional(),
  }),
)
