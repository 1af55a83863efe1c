import { z } from 'zod'
import { idParams, notFound, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { type Closing, closedSchema, closingSchema, newClosingSchema } from './schema'

const usual = { tag: 'Locations', auth: 'session' } as const
const closing: Closing = {
  id: '3c7f6f0e-0a55-4f7c-8a3d-6a1d2b9c4e10',
  day: '2026-12-25',
  shift: 'Cena',
  zone: null,
  reason: 'Navidad',
}
const reservation = {
  id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10',
  external_id: '48213',
  location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  customer_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  customer_name: 'Ana Ruiz',
  reservation_date: '2026-12-25',
  reservation_time: '21:00',
  party_size: 4,
  status: 'confirmed' as const,
  pms_status: 'confirmed',
  visited: null,
  notes: null,
  total_amount: null,
  source: 'pms' as const,
  zone_name: 'Terraza',
  table_name: null,
  tables: [],
  allergies: ['gluten'],
}

export const closingPaths = definePaths({
  '/api/locations/{id}/closings': {
    get: {
      ...usual,
      summary: 'The closings of a location, by day',
      description: 'Whole days, which the hours of the location have too, and shifts or zones of a day.',
      params: idParams,
      responses: {
        200: {
          description: 'Its closings',
          schema: single(z.array(closingSchema)),
          example: { data: [closing] },
        },
        404: notFound,
      },
    },
    post: {
      ...usual,
      permission: 'canReadReports',
      summary: 'Close a day of a location, or a shift or zone of it',
      description:
        'Of one’s own locations. Bookings into it stay as they are and are in the answer; further ones are asked about (CLOSED).',
      params: idParams,
      body: newClosingSchema,
      bodyExample: { day: closing.day, shift: closing.shift, reason: 'Navidad' },
      responses: {
        201: {
          description: 'Closed',
          schema: closedSchema,
          example: { data: closing, reservations: [reservation] },
        },
        404: notFound,
        409: problem(
          'It is closed already; or there are 2,000 closings (TOO_MANY_CLOSINGS)',
          'ALREADY_EXISTS',
        ),
      },
    },
  },
  '/api/locations/{id}/closings/{closingId}': {
    delete: {
      ...usual,
      permission: 'canReadReports',
      summary: 'Open again what a closing closed',
      params: idParams.extend({ closingId: z.guid() }),
      responses: { 204: { description: 'Open' }, 404: notFound },
    },
  },
})
