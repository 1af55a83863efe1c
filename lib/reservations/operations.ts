import { z } from 'zod'
import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { reservationsExportQuery, reservationsQuery } from './filters'
import {
  debugReservationSchema,
  newReservation,
  reservationActivitySchema,
  reservationChange,
  type ToldReservation,
  toldReservationSchema,
} from './schema'

const usual = { tag: 'Reservations', auth: 'session', permission: 'canAccessOperaciones' } as const
const one = single(toldReservationSchema)
const reservation: ToldReservation = {
  id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10',
  external_id: null,
  location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  customer_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  customer_name: 'Ana Ruiz',
  reservation_date: '2026-11-20',
  reservation_time: '21:00',
  party_size: 4,
  status: 'confirmed',
  pms_status: null,
  visited: null,
  notes: null,
  total_amount: null,
  source: 'manual',
  zone_name: 'Terraza',
  table_name: 'S4+S5',
  tables: ['S4', 'S5'],
  allergies: ['gluten'],
}
const example = { data: reservation }

const asks = problem(
  'The contact belongs to a guest of another name (`candidates`: [{id, name}], empty without access to customers): send it again with `link`. Or it asks, with all `questions` that apply: the service is over (SERVICE_OVER), another party has the table (TABLE_TAKEN, with `current`: {reservation_id, customer_name, from, until}), the party is larger than its tables (TABLE_TOO_SMALL), the restaurant is closed (CLOSED), no shift takes guests then (OUTSIDE_HOURS), the amount is above ten times the usual one for the party, 1,000 € at least (UNUSUAL_AMOUNT): send it again with `confirm`',
  'CONTACT_OF_ANOTHER',
)

export const reservationPaths = definePaths({
  '/api/reservations': {
    get: {
      ...usual,
      summary: 'The reservations of a service day in the caller’s locations, in order of time',
      query: reservationsQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(toldReservationSchema),
          example: { data: [reservation], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Create a reservation by hand',
      description:
        'With `customer_id`, or with contact data: it finds the customer as the sync does (e-mail, then phone), or makes one; for floor staff only a guest of the same name, else none. `source` becomes `manual`, and `status` is `pending` unless given.',
      body: newReservation,
      bodyExample: {
        location_id: reservation.location_id,
        customer_name: 'Ana Ruiz',
        customer_phone: '612 345 678',
        reservation_date: '2026-11-20',
        reservation_time: '21:00',
        party_size: 4,
      },
      responses: { 201: { description: 'Created', schema: one, example }, 409: asks },
    },
  },
  '/api/reservations/export': {
    get: {
      ...usual,
      permission: 'canReadReports',
      confirm: true,
      summary: 'The reservations of a day, or of some days, as a CSV or Excel file',
      description:
        'Those that the filters match, in order of time. CSV goes out in chunks as it is read, and cells that a spreadsheet would run are escaped; in XLSX dates, times and amounts are such, and texts are texts. Each export is logged, with the rows that went out.',
      rateLimited: 'hour',
      changes: true,
      query: reservationsExportQuery,
      responses: {
        200: {
          description: 'The download',
          contentType: 'text/csv',
          otherForms: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {} },
          headers: { 'Content-Disposition': 'attachment; filename="reservations-<date>.csv"' },
        },
      },
    },
  },
  '/api/reservations/{id}': {
    get: {
      ...usual,
      summary: 'A reservation',
      params: idParams,
      responses: { 200: { description: 'The reservation', schema: one, example }, 404: notFound },
    },
    patch: {
      ...usual,
      summary: 'Change a reservation',
      description:
        'Changes the fields given. Of a PMS reservation only `status`, `total_amount`, the tables and `notes`, as marks: a mark stays until the PMS sends another value than it had then. `reservation_time` alone keeps the night (00:45 is on the date after it); `reservation_date` is the date of the calendar. The statistics and tiers of the customers are recomputed.',
      params: idParams,
      body: reservationChange,
      bodyExample: { status: 'seated', tables: ['12'] },
      responses: {
        200: { description: 'Changed', schema: one, example },
        404: notFound,
        409: problem(
          'The PMS keeps these fields; or someone else changed what is in `loaded` (EDITED_MEANWHILE); or as in POST (CONTACT_OF_ANOTHER, or a question)',
          'MANAGED_BY_PMS',
        ),
      },
    },
  },
  '/api/reservations/{id}/activity': {
    get: {
      ...usual,
      summary: 'The last 100 changes of a reservation, the latest first',
      description:
        'What staff changed, what the guest answered, and marks that the PMS overruled. `status` is present when it changed.',
      params: idParams,
      responses: {
        200: {
          description: 'The changes',
          schema: z.object({ data: z.array(reservationActivitySchema) }),
          example: {
            data: [
              {
                id: '7d9f1c1e-43a5-4d0e-9a51-2f6f0c0b7a10',
                at: '2026-11-20T20:15:00.000Z',
                action: 'reservation.changed',
                actor: 'Óscar Prieto',
                fields: ['status'],
                status: { from: 'confirmed', to: 'no_show', pms: 'confirmed' },
                answer: null,
              },
            ],
          },
        },
        404: notFound,
      },
    },
  },
  '/api/admin/debug-reservations': {
    get: {
      contract: true,
      summary: 'Ten reservations of today (the UTC date), as stored',
      tag: 'Admin',
      auth: 'session',
      permission: 'canAccessOperaciones',
      failure: (message: string) => ({ error: message, status: 500 }),
      responses: {
        200: {
          description: 'At most ten, in order of time',
          schema: z.object({
            count: z.int(),
            today: z.iso.date(),
            reservations: z.array(debugReservationSchema),
          }),
          example: { count: 0, today: '2026-11-20', reservations: [] },
        },
      },
    },
  },
})
