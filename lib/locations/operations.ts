import { z } from 'zod'
import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { locationChangesSchema, locationSchema, newLocationSchema } from './schema'
import { hoursChange, hoursSchema, tablesChange, tablesSchema } from './service-setup-schema'

const tag = 'Locations'
const settings = { tag, auth: 'session', permission: 'canViewSettings' } as const
const location = {
  id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  name: 'Casa Lumbre Chamberí',
  city: 'Madrid',
  address: 'Calle del Olmo Viejo 12, 28010 Madrid',
  brand_id: '7a1f0a3e-5c58-4a58-9f2c-6d3f2b1c0e9d',
  pms_id: 'casa-lumbre-chamberi',
  timezone: 'Europe/Madrid',
  average_spend_per_guest: 32.5,
  count_unmarked_visits: true,
  quiet_from: null,
  quiet_until: null,
  is_active: true,
  stay_minutes: null,
  review_urls: ['https://search.google.com/local/writereview?placeid=ChIJcasalumbre'],
  known_until: '2027-01-19',
}
const hours = {
  shifts: [
    { name: 'Comida', weekdays: [1, 2, 3, 4, 5, 6, 7], opens: '13:00', closes: '16:00', capacity: 90 },
    { name: 'Cena', weekdays: [4, 5, 6], opens: '20:00', closes: '00:30', capacity: 90 },
  ],
  closed_days: [{ day: '2026-12-25', name: 'Navidad' }],
}
const table = {
  zone: 'Terraza',
  name: '12',
  capacity: 4,
  is_active: true,
  plan_x: 8,
  plan_y: 2,
  shape: 'round' as const,
  turned: false,
  joinable: true,
}
const taken = problem('The name is taken', 'LOCATION_NAME_TAKEN')

export const locationPaths = definePaths({
  '/api/locations': {
    get: {
      summary: 'The locations the caller works in, by name',
      tag,
      auth: 'session',
      machines: true,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of locations',
          schema: page(locationSchema),
          example: { data: [location], next_cursor: null },
        },
      },
    },
    post: {
      ...settings,
      summary: 'Add a location',
      description: 'Someone bound to locations cannot (403): they would not see it.',
      body: newLocationSchema,
      bodyExample: { name: 'Casa Lumbre Chamberí', city: 'Madrid', average_spend_per_guest: 32.5 },
      responses: {
        201: { description: 'Added', schema: single(locationSchema), example: { data: location } },
        409: taken,
      },
    },
  },
  '/api/locations/{id}': {
    get: {
      summary: 'A location',
      tag,
      auth: 'session',
      machines: true,
      params: idParams,
      responses: {
        200: { description: 'The location', schema: single(locationSchema), example: { data: location } },
        404: notFound,
      },
    },
    patch: {
      ...settings,
      summary: 'Change a location',
      description:
        'Another average spend, time zone or counting of unmarked visits changes what customers spent and when they came ' +
        'last: they are recomputed before the answer.',
      params: idParams,
      body: locationChangesSchema,
      bodyExample: { average_spend_per_guest: 35 },
      responses: {
        200: { description: 'As it is now', schema: single(locationSchema), example: { data: location } },
        404: notFound,
        409: taken,
      },
    },
    delete: {
      ...settings,
      summary: 'Delete a location without reservations and people',
      params: idParams,
      responses: {
        204: { description: 'Deleted' },
        404: notFound,
        409: problem('Something depends on it', 'LOCATION_IN_USE'),
      },
    },
  },
  '/api/locations/{id}/hours': {
    get: {
      summary: 'The shifts and closed days of a location',
      tag,
      auth: 'session',
      params: idParams,
      responses: {
        200: { description: 'Its hours', schema: single(hoursSchema), example: { data: hours } },
        404: notFound,
      },
    },
    put: {
      ...settings,
      summary: 'Replace the shifts and closed days of a location',
      params: idParams,
      body: hoursChange,
      bodyExample: hours,
      responses: {
        200: { description: 'As they are now', schema: single(hoursSchema), example: { data: hours } },
        404: notFound,
        409: problem('A name or a day is there twice', 'ALREADY_EXISTS'),
      },
    },
  },
  '/api/locations/{id}/tables': {
    get: {
      summary: 'The tables of a location',
      tag,
      auth: 'session',
      params: idParams,
      responses: {
        200: { description: 'Its tables', schema: single(tablesSchema), example: { data: [table] } },
        404: notFound,
      },
    },
    put: {
      ...settings,
      summary: 'Replace the tables of a location',
      description:
        'Those that are not in the list go. The sync adds tables that the PMS names and that are not there. `plan_x` and `plan_y` (both or none), `shape`, `turned` and `joinable` of a table stay as they are when they are not given.',
      params: idParams,
      body: z.strictObject({ tables: tablesChange }),
      bodyExample: { tables: [table] },
      responses: {
        200: { description: 'As they are now', schema: single(tablesSchema), example: { data: [table] } },
        404: notFound,
        409: problem('A name is there twice', 'ALREADY_EXISTS'),
      },
    },
  },
})
