import { definePaths } from '@/lib/openapi/operation'
import { reportSchema } from './report-schema'

export const deploymentPaths = definePaths({
  '/api/installation': {
    get: {
      summary: 'Check the installation: settings, database, Auth, schedule, webhooks, accounts',
      description:
        'For the person who runs it: `npm run check:deployment` asks this. Changes nothing and names no secret. Each line is right, wrong, or could not be checked (`unknown`).',
      tag: 'Health',
      auth: 'cron',
      responses: {
        200: {
          description: 'What was found',
          schema: reportSchema,
          example: {
            lines: [
              {
                id: 'secret_key',
                state: 'right',
                finding: 'key_accepted',
                detail: 'SUPABASE_SECRET_KEY',
              },
              { id: 'cron', state: 'wrong', finding: 'cron_silent', count: 95 },
            ],
            app_url: 'https://crm.example',
            now: '2026-11-20T12:00:00.000Z',
          },
        },
      },
    },
  },
})
