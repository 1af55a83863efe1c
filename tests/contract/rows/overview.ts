import { COUNT, KNOWN_UNTIL, type Row, UUID } from '../row'
import { given } from './arrange'
import { about, cases, signedOut } from './cases'

const ID = 'b0000000-0000-4000-8000-000000000004'
const NO_DATA = {
  known: 'none',
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
  reservations: 1,
  covers: 2,
  completed: 1,
  visits: 1,
  cancelled: 0,
  no_shows: 0,
  revenue: 60,
  estimated_revenue: 60,
}
const overview = cases('decisions §8: stats/overview', 'rrhh')
const STATS = 'GET /api/stats/overview'
const notices = cases('decisions §8: notices', 'rrhh')
const NOTICES = 'GET /api/notices'

/** The figures of a period, and what needs attention. */
export const overviewRows: Row[] = [
  ...signedOut([STATS, NOTICES]),
  notices('nothing needs attention that the role may read', NOTICES, 200, {
    data: { sync: null, paused_runs: 0, waiting_runs: 0, tickets: { near: 0, late: 0 }, unknown_messages: 0 },
  }),
  overview(
    'one location had one visit, on a day the PMS was never asked for',
    STATS,
    200,
    ({ location }) => ({
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
    {
      as: 'bound',
      query: '?from=2020-05-10&to=2020-05-11',
      arrange: given('reservations', ({ location }) => ({
        id: ID,
        location_id: location('Alfa'),
        reservation_date: '2020-05-10',
        reservation_time: '21:00',
        party_size: 2,
        status: 'completed',
        source: 'manual',
      })),
    },
  ),
  overview(
    'the location is another organization’s',
    STATS,
    404,
    { error: 'Not found' },
    {
      query: ({ location }) => `?location_id=${location('Este')}`,
    },
  ),
  overview(
    'the location is none of the caller’s',
    STATS,
    404,
    { error: 'Not found' },
    {
      as: 'bound',
      query: ({ location }) => `?location_id=${location('Bravo')}`,
    },
  ),
  overview(
    'the period ends before it begins',
    STATS,
    400,
    {
      error: 'from, to: the period must have 1 to 366 days',
    },
    { query: '?from=2020-05-10&to=2020-05-09' },
  ),
  overview('the date is none', STATS, 400, about('from'), { query: '?from=ayer' }),
]
