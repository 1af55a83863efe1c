import { z } from 'zod'
import { instantInput } from '@/lib/http/instant'
import { page, pageQuery } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { AUDIT_KINDS, auditLineSchema } from './schema'

const filters = z.object({
  from: instantInput.optional(),
  to: instantInput.optional().meta({ description: 'Before this instant' }),
  actor: z.string().trim().min(1).max(120).optional().meta({ description: 'Part of the name or e-mail' }),
  kind: z.enum(AUDIT_KINDS).optional().meta({ description: 'Only lines about records of this kind' }),
  search: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .optional()
    .meta({ description: 'Part of what the record was called, or its id' }),
})
const usual = { tag: 'Audit log', auth: 'session', permission: 'canViewSettings' } as const

export const auditPaths = definePaths({
  '/api/audit-log': {
    get: {
      ...usual,
      summary: 'Who did what, the latest first',
      description:
        'Nobody can change or remove a line; erasing a guest takes their data out of it. Someone bound to locations sees the lines about guests and about what belongs to these; those about the group are for people who work everywhere.',
      query: pageQuery.extend(filters.shape),
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
      query: filters.extend({ language: z.enum(['es', 'en']).default('es') }),
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

/** What narrows the log. */
export type AuditFilters = z.infer<typeof filters>
