import { expect } from 'vitest'
import { COUNT, type Row, UUID } from '../row'
import { given } from './arrange'
import { about } from './cases'

const REPORTS = 'GET /api/reports'
const EXPORT = 'GET /api/reports/export'
const section = 'our own: reports'
const TIERS = ['Platino', 'Oro', 'Plata', 'Bronce']
const noVisits = {
  visits: COUNT,
  covers: COUNT,
  revenue: expect.any(Number),
  estimated_revenue: expect.any(Number),
}

/** Whether new guests come again, and revenue by tier. */
export const reportRows: Row[] = [
  {
    name: 'counts new guests and revenue of a location',
    section,
    as: 'bound',
    request: { operation: REPORTS, query: '?months=36&split=channel' },
    arrange: given('reservations', ({ location }) => ({
      ...{ id: 'b0000000-0000-4000-8000-0000000000c1', location_id: location('Alfa') },
      ...{ reservation_date: '2020-05-10', reservation_time: '21:00', party_size: 2 },
      ...{ status: 'completed', source: 'manual' },
    })),
    answers: {
      status: 200,
      body: {
        data: {
          from: expect.stringMatching(/-01$/),
          ...{ to: expect.any(String), closed_until: expect.any(String), data_from: expect.any(String) },
          groups: expect.any(Array),
          weeks: { last_week: expect.any(String), totals: expect.any(Array), locations: expect.any(Array) },
          hours: {
            ...{ from: expect.stringMatching(/-01$/), to: expect.any(String) },
            ...{ all: expect.any(Object), locations: expect.any(Array) },
          },
          tiers: [
            ...TIERS.map((name) => ({ ...noVisits, id: UUID, name, known: true, guests: COUNT })),
            { ...noVisits, id: null, name: null, known: true, guests: COUNT },
            { ...noVisits, id: null, name: null, known: false, guests: 0 },
          ],
        },
      },
    },
  },
  {
    name: 'gives a report as CSV',
    section,
    as: 'operaciones',
    request: { operation: EXPORT, query: '?report=tiers' },
    answers: {
      status: 200,
      headers: { 'content-disposition': 'attachment; filename="tiers-' },
    },
  },
  ...[REPORTS, EXPORT].flatMap((operation): Row[] => [
    {
      name: 'finds no location where the person does not work',
      section,
      as: 'bound',
      request: { operation, query: ({ location }) => `?location_id=${location('Bravo')}` },
      answers: { status: 404, body: { error: 'Not found' } },
    },
    {
      name: 'refuses a period that is none',
      section,
      as: 'operaciones',
      request: { operation, query: '?months=37' },
      answers: { status: 400, body: about('months') },
    },
  ]),
]
