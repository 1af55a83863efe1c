import { z } from 'zod'
import { instant } from '@/lib/http/instant'

export const jobRunSchema = z
  .object({
    id: z.string(),
    job: z.string(),
    status: z.enum(['running', 'succeeded', 'partial', 'failed']),
    started_at: instant,
    finished_at: instant.nullable(),
    result: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'JobRun' })
export type JobRun = z.infer<typeof jobRunSchema>
