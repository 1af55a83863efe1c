import 'server-only'
import { z } from 'zod'
import { DAY_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { defineTool } from './tool'

const MAX_LISTED = 50

const rowSchema = z.object({
  automation_id: z.string(),
  name: z.string(),
  type: z.string(),
  channel: z.string(),
  status: z.string(),
  runs: z.number(),
  last_run_at: z.string().nullable(),
  sent: z.number(),
  delivered: z.number(),
  simulated: z.number(),
  failed: z.number(),
  skipped: z.number(),
})

export const automationResults = defineTool({
  name: 'automation_results',
  description:
    'Automatizaciones de marketing y lo que enviaron en los últimos días: ejecuciones, mensajes enviados (de ellos, simulados: no salieron), entregados, fallidos y omitidos.',
  permission: 'canAccessMarketing',
  arguments: z.strictObject({ days: z.int().min(1).max(365).default(30) }),
  run: async ({ db }, { days }, { limit, now }) => {
    const max = Math.min(limit, MAX_LISTED)
    const p_since = new Date(now.getTime() - days * DAY_MS).toISOString()
    const rows = z
      .array(rowSchema)
      .parse(unwrap(await db.rpc('automation_results', { p_since }).limit(max + 1)))
    const listed = rows.slice(0, max)
    return {
      rows: listed.map(({ automation_id: _, ...row }) => row),
      more: rows.length > max,
      found: listed.map(({ automation_id: id, name }) => ({
        type: 'automation',
        id,
        label: name.slice(0, 200),
        names: [name],
      })),
    }
  },
})
