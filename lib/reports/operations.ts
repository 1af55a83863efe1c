import { notFound, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { type Reports, reportsExportQuery, reportsQuery, reportsSchema } from './schema'

const report = { tag: 'Overview', auth: 'session', permission: 'canReadReports' } as const
const NOT_YET = Array<null>(9).fill(null)
const reports: Reports = {
  from: '2026-07-01',
  to: '2026-11-20',
  closed_until: '2026-11-19',
  data_from: '2025-03-04',
  groups: [
    {
      key: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
      name: 'Casa Lumbre Chamberí',
      rest: false,
      cohorts: [{ month: '2026-07-01', guests: 214, returned: [31, 52, 66, ...NOT_YET] }],
    },
  ],
  weeks: {
    last_week: '2026-11-09',
    totals: [],
    locations: [
      {
        ...{ id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10', name: 'Casa Lumbre Chamberí' },
        weeks: [
          {
            week: '2026-11-09',
            served: {
              ...{ reservations: 402, covers: 1293, visits: 397, no_shows: 11, cancelled: 38 },
              ...{ revenue: 41_210.5, estimated_revenue: 3120 },
            },
            booked: { reservations: 0, covers: 0 },
            year_before: null,
          },
        ],
      },
    ],
  },
  hours: {
    ...{ from: '2026-07-01', to: '2026-11-19' },
    all: {
      days: [20, 20, 20, 20, 20, 20, 19],
      covers: Array<number[]>(7).fill([...Array<number>(13).fill(0), 310, 402, ...Array<number>(9).fill(0)]),
      channels: [
        { channel: 'pms', visits: 1204, covers: 3611 },
        { channel: 'manual', visits: 188, covers: 540 },
        { channel: 'walk_in', visits: 240, covers: 598 },
      ],
    },
    locations: [],
  },
  tiers: [
    {
      ...{ id: '6f1f3a52-6c3c-4b6e-9d7e-0d7a2f1c4b11', name: 'Oro', known: true, guests: 87, visits: 391 },
      ...{ covers: 1204, revenue: 48210.5, estimated_revenue: 3120 },
    },
  ],
}

export const reportPaths = definePaths({
  '/api/reports': {
    get: {
      ...report,
      summary:
        'What was served and is booked by week, when guests come and how they book, new guests who came again, and revenue by tier',
      description:
        'Of the caller’s locations: a guest is new at the first visit in them, or in the chosen one. Months and weeks are those of each location’s service days. The weeks do not depend on `months`.',
      query: reportsQuery,
      responses: {
        200: { description: 'The reports', schema: single(reportsSchema), example: { data: reports } },
        404: notFound,
      },
    },
  },
  '/api/reports/export': {
    get: {
      ...report,
      summary: 'One of the reports as a CSV or Excel file',
      description: 'Counts only, no guest’s data. In XLSX numbers, amounts and dates are such.',
      rateLimited: true,
      query: reportsExportQuery,
      responses: {
        200: {
          description: 'The download',
          contentType: 'text/csv',
          otherForms: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {} },
          headers: { 'Content-Disposition': 'attachment; filename="<report>-<from>-<to>.csv"' },
        },
        404: notFound,
      },
    },
  },
})
