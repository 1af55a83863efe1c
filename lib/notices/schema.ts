import { z } from 'zod'
import { instant } from '@/lib/http/instant'

const count = z.number().int().min(0).max(100)

export const noticesSchema = z
  .object({
    sync: z.object({ status: z.enum(['failed', 'partial']), started_at: instant }).nullable(),
    paused_runs: count,
    waiting_runs: count,
    tickets: z.object({ near: count, late: count }),
    unknown_messages: count,
  })
  .meta({ id: 'Notices', description: 'What needs the caller’s attention; counts stop at 100.' })
export type Notices = z.infer<typeof noticesSchema>
