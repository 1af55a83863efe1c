import { z } from 'zod'
import { filterText } from '@/lib/http/fields'
import { notFound, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  type FoundReservation,
  foundReservationSchema,
  type Service,
  serviceDate,
  serviceSchema,
  tapAnswerSchema,
  tapSchema,
} from './schema'

const usual = { tag: 'Service', auth: 'session', permission: 'canAccessOperaciones' } as const
const location_id = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const reservation_id = '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10'
const key = '0b9f6a0e-58a1-4f43-8c26-0a3f6f1d7e55'
const service: Service = {
  location: { id: location_id, name: 'Casa Lumbre Chamberí', timezone: 'Europe/Madrid', stay_minutes: null },
  day: '2026-11-20',
  at: '2026-11-20T20:10:00.000Z',
  closed: null,
  closings: [
    {
      id: '7d0c3b1e-2f64-4c0a-9e8b-5a1d6c7f2b30',
      day: '2026-11-20',
      shift: 'Cena',
      zone: 'Terraza',
      reason: 'Obras en la acera',
    },
  ],
  shifts: [
    {
      id: '6f2c1a77-0d5b-4c0c-9d0e-0d7b8f0f5a21',
      name: 'Cena',
      opens: '20:00',
      closes: '23:30',
      capacity: 90,
    },
  ],
  tables: [
    {
      name: '12',
      zone: 'Terraza',
      capacity: 4,
      plan_x: 8,
      plan_y: 2,
      shape: 'round',
      turned: false,
      joinable: true,
    },
  ],
  waiting: [],
  parties: [
    {
      id: reservation_id,
      time: '21:00',
      shift_id: '6f2c1a77-0d5b-4c0c-9d0e-0d7b8f0f5a21',
      name: 'Ana Ruiz',
      phone: '+34600111222',
      readable_phone: '+34 600 11 12 22',
      party_size: 4,
      status: 'confirmed',
      table_name: '12',
      tables: ['12'],
      joined_to: null,
      zone_name: 'Terraza',
      arrived_at: null,
      seated_at: null,
      finished_at: null,
      late_minutes: null,
      walk_in: false,
      from_pms: true,
      notes: 'Alergia a los frutos secos',
      customer_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      customer_notes: null,
      tags: ['habitual'],
      tier: 'Oro',
      vip: true,
      birthday_in: 0,
      first_visit: false,
      allergies: ['gluten'],
      facts: [{ code: 'gluten', kind: 'allergy', note: null }],
      suggested: ['nuts'],
      no_shows: 0,
      usual_table: '12',
      risk: {
        level: 'medium',
        probability: 0.18,
        bookings: 5,
        no_shows: 2,
        lead_days: 12,
        party_size: 4,
        confirmed: false,
      },
    },
  ],
}

const found: FoundReservation = {
  id: reservation_id,
  location_id,
  location_name: 'Casa Lumbre Chamberí',
  service_date: '2026-11-29',
  days: 9,
  time: '21:00',
  name: 'Ana Ruiz',
  party_size: 4,
  status: 'confirmed',
  table_name: '12',
  tables: ['12'],
  allergies: ['gluten'],
}

export const servicePaths = definePaths({
  '/api/service': {
    get: {
      ...usual,
      summary: 'A service day of a location, with what to know about each party',
      query: z.strictObject({ location_id: z.guid(), date: serviceDate.optional() }),
      responses: {
        200: {
          description: 'The service; without `date` the one under way',
          schema: single(serviceSchema),
          example: { data: service },
        },
        404: notFound,
      },
    },
  },
  '/api/service/find': {
    get: {
      ...usual,
      summary: 'Find reservations of every day',
      description:
        'By words of the name in any order (with one typing error in a long word, when nothing is found without), by the phone in any form or its last four digits, by table, words of the note, or the booking system’s code. Today’s service comes first, then the days after it in order, then the past, the latest first: a week back by all of this, earlier ones by their guest or code. Floor staff find guests’ further bookings by phone only.',
      query: z.strictObject({
        search: filterText(200).meta({ description: 'What is looked for; blank finds nothing' }),
        location_id: z.guid().optional().meta({ description: 'Only in this one of the caller’s locations' }),
        limit: z.coerce.number().int().min(1).max(50).default(20),
      }),
      responses: {
        200: {
          description: 'What was found; without contacts',
          schema: z.object({ data: z.array(foundReservationSchema) }),
          example: { data: [found] },
        },
      },
    },
  },
  '/api/service/taps': {
    post: {
      ...usual,
      summary: 'Take what staff tapped in the service, in order',
      description:
        'Each tap counts once, by its key. It does nothing when the reservation is no longer as the person saw it (`conflict`), or asks something first (`table_taken` and the like, with all `questions`): send it again with `confirm`. The statistics and tiers of the customers follow, as with PATCH /api/reservations/{id}. `wait_join`, `wait_seat`, `wait_leave` and `wait_return` are the waitlist’s, for a device that had no connection.',
      body: z.strictObject({ location_id: z.guid(), taps: z.array(tapSchema).min(1).max(50) }),
      bodyExample: {
        location_id,
        taps: [{ key, action: 'seat', reservation_id, seen: 'confirmed', tables: ['12'] }],
      },
      responses: {
        200: {
          description: 'What became of each',
          schema: z.object({ data: z.array(tapAnswerSchema) }),
          example: { data: [{ key, outcome: 'saved', reservation_id }] },
        },
        404: notFound,
      },
    },
  },
})
