import { page } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { auditExportQuery, auditQuery } from './filters'
import { auditLineSchema } from './schema'

const usual = { tag: 'Audit log', auth: 'session', permission: 'canViewSettings' } as const

export const auditPaths = definePaths({
  '/api/audit-log': {
    get: {
      ...usual,
      summary: 'Who did what, the latest first',
      description:
        'Lines cannot be changed or removed; erasing a customer removes their data from it. People bound to locations see the lines about customers and about those locations; lines about the group are for people who work in all of them.',
      query: auditQuery,
      responses: {
        200: {
          description: 'A page of lines',
          schema: page(auditLineSchema),
          example: {
            data: [
              {
                id: '0b2f3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
                at: '2026-11-20T12:00:00.000000Z',
                actor: 'Ana Gil <ana@grupo.example>',
                action: 'organization.changed',
                subject_type: 'organization',
                subject_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
                before: { frequency_cap_days: 7 },
                after: { frequency_cap_days: 14 },
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
  },
  '/api/audit-log/export': {
    get: {
      ...usual,
      confirm: true,
      summary: 'The audit log as a CSV download',
      description:
        'Every line that the filters match, in chunks as they are read. Cells that a spreadsheet would run are escaped. The export is logged itself.',
      rateLimited: 'hour',
      changes: true,
      query: auditExportQuery,
      responses: {
        200: {
          description: 'The download',
          contentType: 'text/csv',
          headers: { 'Content-Disposition': 'attachment; filename="audit-log-<date>.csv"' },
        },
      },
    },
  },
})
