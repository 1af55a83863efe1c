import { COUNT, KNOWN_UNTIL, type Row, UUID } from '../row'
import { given } from './arrange'
import { about } from './cases'

const ID = 'b0000000-0000-4000-8000-000000000004'
const NO_DATA = {
  known: 'none',
  booked: null,
  reservations: null,
  covers: null,
  completed: null,
  visits: null,
  cancelled: null,
  no_shows: null,
  revenue: null,
  estimated_revenue: null,
}
const VISIT = {
  known: 'none',
  booked: 1,
  reservations: 1,
  covers: 2,
  completed: 1,
  visits: 1,
  cancelled: 0,
  no_shows: 0,
  revenue: 60,
  estimated_revenue: 60,
}

const STATS = 'GET /api/stats/overview'

const NOTICES = 'GET /api/notices'

/** The figures of a period, and what needs attention. */
export const overviewRows: Row[] = [
  {
    name: 'counts nothing that the role may not read',
    section: 'our own: notices',
    as: 'rrhh',
    request: { operation: NOTICES },
    answers: {
      status: 200,
      body: {
        data: {
          sync: null,
          paused_runs: 0,
          waiting_runs: 0,
          waiting_campaigns: 0,
          tickets: { near: 0, late: 0 },
          unknown_messages: 0,
          left_pms: { count: 0, not_applied: 0, locations: [] },
        },
      },
    },
  },
  {
    name: 'counts the one visit of a location on a day the PMS was never asked for',
    section: 'our own: stats/overview',
    as: 'bound',
    request: { operation: STATS, query: '?from=2020-05-10&to=2020-05-11' },
    arrange: given('reservations', ({ location }) => ({
      id: ID,
      location_id: location('Alfa'),
      reservation_date: '2020-05-10',
      reservation_time: '21:00',
      party_size: 2,
      status: 'completed',
      source: 'manual',
    })),
    answers: {
      status: 200,
      body: ({ location }) => ({
        data: {
          from: '2020-05-10',
          to: '2020-05-11',
          totals: VISIT,
          previous: { from: '2020-05-08', to: '2020-05-09', ...NO_DATA },
          days: [
            { date: '2020-05-10', ...VISIT },
            { date: '2020-05-11', ...NO_DATA },
          ],
          locations: [{ id: location('Alfa'), name: 'Alfa', known_until: KNOWN_UNTIL, ...VISIT }],
          customers: {
            total: COUNT,
            by_tier: ['Bronce', 'Plata', 'Oro', 'Platino'].map((name) => ({
              id: UUID,
              name,
              customers: COUNT,
            })),
          },
        },
      }),
    },
  },
  {
    name: 'finds no location of another organization',
    section: 'our own: stats/overview',
    as: 'rrhh',
    request: { operation: STATS, query: ({ location }) => `?location_id=${location('Este')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'finds no location where the person does not work',
    section: 'our own: stats/overview',
    as: 'bound',
    request: { operation: STATS, query: ({ location }) => `?location_id=${location('Bravo')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses a period that ends before it begins',
    section: 'our own: stats/overview',
    as: 'rrhh',
    request: { operation: STATS, query: '?from=2020-05-10&to=2020-05-09' },
    answers: {
      status: 400,
      body: {
        error: 'from: the period must have 1 to 366 days',
      },
    },
  },
  {
    name: 'refuses a date that does not exist',
    section: 'our own: stats/overview',
    as: 'rrhh',
    request: { operation: STATS, query: '?from=ayer' },
    answers: { status: 400, body: about('from') },
  },
]
