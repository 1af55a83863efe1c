import { z } from 'zod'
import { calendarDate } from '@/lib/http/fields'
import { idParams, notFound, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { PERMISSIONS } from '@/lib/permissions'
import {
  type Compared,
  type Morning,
  morningMailChange,
  morningMailSchema,
  morningPdfQuery,
  morningQuery,
  morningSchema,
  newShiftNote,
  type ShiftNote,
  shiftNoteChange,
  shiftNoteSchema,
} from './schema'

const usual = { tag: 'Service', auth: 'session', permission: 'canAccessOperaciones' } as const
const report = { ...usual, permission: 'canReadReports' } as const
/** For people who may read the report; API tokens cannot order its e-mails. */
const own = { tag: 'Account', auth: 'session', roles: PERMISSIONS.canReadReports } as const
const location_id = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const name = 'Casa Lumbre Chamberí'
const body = 'Se acabó el rodaballo. La 12 cojea: avisado mantenimiento.'
const note: ShiftNote = {
  id: '0f6c2a8e-41d7-4b0e-9b3d-2c7a5e8f1d44',
  location_id,
  day: '2026-11-19',
  body,
  author: 'Lucía Prieto',
  mine: true,
  created_at: '2026-11-20T00:12:00.000Z',
  edited_at: null,
}
const compared: Compared = {
  known: 'all',
  closed: false,
  figures: { covers: 131, reservations: 42, walk_ins: 3, no_shows: 1, cancelled: 4, revenue: 4120.5 },
  estimated_revenue: 3360,
  since_week: { covers: 12, reservations: 3, walk_ins: -1, no_shows: 0, cancelled: 2, revenue: 310 },
  since_mean: { covers: 4.5, reservations: 1, walk_ins: 0.5, no_shows: -0.5, cancelled: 1, revenue: 95.25 },
  mean_days: 4,
}
const ahead = [
  { day: '2026-11-20', known: 'all' as const, closed: false, reservations: 31, covers: 96, capacity: 150 },
]
const morning: Morning = {
  date: '2026-11-20',
  yesterday: '2026-11-19',
  totals: compared,
  locations: [
    {
      id: location_id,
      name,
      timezone: 'Europe/Madrid',
      known_until: '2027-01-19',
      yesterday: compared,
      ahead,
    },
  ],
  ahead,
  guests: [
    {
      reservation_id: '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10',
      location_id,
      location_name: name,
      customer_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      customer_name: 'Ana Ruiz',
      reservation_time: '21:00',
      party_size: 4,
      status: 'confirmed',
      tier: 'Oro',
      vip: true,
      birthday_in: 0,
      allergy: true,
      allergies: ['nuts'],
      facts: [{ code: 'nuts', kind: 'allergy', note: null }],
      notes: null,
      first_visit: false,
      last_visit_at: '2026-10-02T20:00:00.000Z',
      away: false,
      no_shows: 0,
    },
  ],
  guests_total: 1,
  notes: [{ ...note, location: name }],
  closings: [
    {
      id: '7d0c3b1e-2f64-4c0a-9e8b-5a1d6c7f2b30',
      location_id,
      location: name,
      day: '2026-11-21',
      shift: 'Cena',
      zone: 'Terraza',
      reason: 'Obras en la acera',
    },
  ],
}
const oneNote = { schema: single(shiftNoteSchema), example: { data: note } }
const notYours = problem('Not allowed, or written by another person', 'NOT_AUTHOR')

const mail = {
  schema: single(morningMailSchema),
  example: { data: { hour: 8, timezone: 'Europe/Madrid' } },
}

export const morningPaths = definePaths({
  '/api/account/morning-mail': {
    get: {
      ...own,
      summary: 'At which hour the caller gets the morning report by e-mail',
      responses: { 200: { description: 'As it is now', ...mail } },
    },
    put: {
      ...own,
      summary: 'Get the morning report by e-mail at an hour, or no more',
      description:
        'For people, not for API tokens. One a day, of the caller’s locations; it ends with the right to read it.',
      body: morningMailChange,
      bodyExample: { hour: 8 },
      responses: { 200: { description: 'As it is now', ...mail } },
    },
  },
  '/api/morning': {
    get: {
      ...report,
      summary:
        'Yesterday beside the same weekday before, the coming days, whom to know today, and shift notes',
      query: morningQuery,
      responses: {
        200: { description: 'The morning', schema: single(morningSchema), example: { data: morning } },
        404: notFound,
      },
    },
  },
  '/api/morning/pdf': {
    get: {
      ...report,
      summary: 'The same as a PDF to print',
      query: morningPdfQuery,
      rateLimited: true,
      responses: {
        200: {
          description: 'A4, landscape',
          contentType: 'application/pdf',
          headers: { 'Content-Disposition': 'attachment; filename="morning-<date>.pdf"' },
        },
        404: notFound,
      },
    },
  },
  '/api/shift-notes': {
    get: {
      ...usual,
      summary: 'The notes about a service day of a location, as they were written',
      query: z.strictObject({ location_id: z.guid(), day: calendarDate(1900, 2199).optional() }),
      responses: {
        200: {
          description: 'The notes; without `day` of the service under way',
          schema: single(z.array(shiftNoteSchema)),
          example: { data: [note] },
        },
        404: notFound,
      },
    },
    post: {
      ...usual,
      summary: 'Write a note for those who come the next morning',
      description:
        'About a service day of the last week; at most ten a day. The audit log says who, never what.',
      body: newShiftNote,
      bodyExample: { location_id, body },
      responses: {
        201: { description: 'Written', ...oneNote },
        404: notFound,
        409: problem('The day has ten already', 'SHIFT_NOTES_FULL'),
      },
    },
  },
  '/api/shift-notes/{id}': {
    patch: {
      ...usual,
      summary: 'Change a shift note of one’s own',
      params: idParams,
      body: shiftNoteChange,
      bodyExample: { body },
      responses: { 200: { description: 'Changed', ...oneNote }, 403: notYours, 404: notFound },
    },
    delete: {
      ...usual,
      summary: 'Remove a shift note of one’s own',
      params: idParams,
      responses: { 204: { description: 'Removed' }, 403: notYours, 404: notFound },
    },
  },
})
