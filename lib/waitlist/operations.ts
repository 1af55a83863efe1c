import { z } from 'zod'
import { idParams, notFound, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  newWaitingSchema,
  type WaitingParty,
  waitingActionSchema,
  waitingAnswerSchema,
  waitingSchema,
} from './schema'

const usual = { tag: 'Service', auth: 'session', permission: 'canAccessOperaciones' } as const
const location_id = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const waiting: WaitingParty = {
  id: '5d2f8c11-7a3e-4c58-9d0b-6b7e2a4f1c90',
  name: 'Ana Ruiz',
  phone: '+34600111222',
  readable_phone: '+34 600 11 12 22',
  party_size: 4,
  quoted_minutes: 25,
  notes: null,
  joined_at: '2026-11-20T20:10:00.000Z',
  called_at: null,
  message: null,
  offer: null,
}

export const waitlistPaths = definePaths({
  '/api/waitlist': {
    get: {
      ...usual,
      summary: 'Who waits at a location for a table, the first who came first',
      query: z.strictObject({ location_id: z.guid() }),
      responses: {
        200: {
          description: 'Those who wait',
          schema: single(z.array(waitingSchema)),
          example: { data: [waiting] },
        },
        404: notFound,
      },
    },
    post: {
      ...usual,
      summary: 'Add a party to the waitlist of a location',
      body: newWaitingSchema,
      bodyExample: { location_id, name: 'Ana Ruiz', phone: '600 111 222', party_size: 4, quoted_minutes: 25 },
      responses: {
        201: { description: 'Added', schema: single(waitingSchema), example: { data: waiting } },
        404: notFound,
        409: problem('200 parties wait already', 'WAITLIST_FULL'),
      },
    },
  },
  '/api/waitlist/{id}': {
    patch: {
      ...usual,
      summary: 'Call, seat or let go a party that waits',
      description:
        '`call` sends "your table is ready" by WhatsApp (to those who wrote in the last 24 hours) or SMS, once; without a phone or a provider staff call by voice. At most one message in two minutes to a number, and 60 in an hour by a person and at a location. `seat` makes a walk-in of it. `return` brings back one that left.',
      params: idParams,
      body: waitingActionSchema,
      bodyExample: { action: 'seat', table_name: '12' },
      responses: {
        200: {
          description: 'Done',
          schema: single(waitingAnswerSchema),
          example: {
            data: { id: waiting.id, reservation_id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10', channel: null },
          },
        },
        404: notFound,
        409: problem(
          'It was called before, or no longer waits; or another party has the table (TABLE_TAKEN), or it is too small (TABLE_TOO_SMALL): send it again with `confirm`',
          'CHANGED_MEANWHILE',
        ),
        429: problem('Too many calls, or requests of an API token: see the code', 'CALLED_JUST_NOW'),
      },
    },
  },
})
