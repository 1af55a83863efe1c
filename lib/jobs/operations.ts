import { z } from 'zod'
import { page, pageQuery } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { jobRunSchema } from './job'

export const jobPaths = definePaths({
  '/api/jobs': {
    get: {
      summary: 'The recent runs of jobs, the latest first',
      description: 'Someone bound to locations sees of each result what concerns those.',
      tag: 'Jobs',
      auth: 'session',
      permission: 'canViewSettings',
      query: pageQuery.extend({
        job: z
          .string()
          .max(60)
          .regex(/^[a-z-]+$/)
          .optional()
          .meta({ description: 'Only this job, such as `sync`' }),
      }),
      responses: {
        200: {
          description: 'A page of runs',
          schema: page(jobRunSchema),
          example: {
            data: [
              {
                id: '5f0e3b7a-9c1d-4e2f-8a6b-7c5d4e3f2a1b',
                job: 'sync',
                status: 'succeeded',
                started_at: '2026-11-20T12:00:00.000Z',
                finished_at: '2026-11-20T12:00:04.000Z',
                result: { locations: [], issues: [] },
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
  },
})
