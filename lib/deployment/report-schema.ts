import { z } from 'zod'
import { testResultSchema } from '@/lib/integrations/schema'
import { INTEGRATION_TYPES } from '@/lib/integrations/types'
import { FAULTS, LINES, RIGHT } from './lines'

const shared = {
  id: z.enum(LINES),
  group: z.string().optional().meta({ description: 'Of several groups, the one it is about' }),
  detail: z.string().optional().meta({ description: 'What the finding names; never a secret' }),
  count: z.number().optional().meta({ description: 'Minutes, seconds, milliseconds or things' }),
}

const lineSchema = z
  .discriminatedUnion('state', [
    z.object({ ...shared, state: z.literal('right'), finding: z.enum(RIGHT) }),
    z.object({
      ...shared,
      state: z.enum(['wrong', 'unknown']),
      finding: z.enum(FAULTS),
      reason: testResultSchema.shape.reason,
      type: z.enum(INTEGRATION_TYPES).optional(),
    }),
  ])
  .meta({ id: 'InstallationLine' })

/** What the check of an installation finds. */
export const reportSchema = z.object({
  lines: z.array(lineSchema),
  app_url: z.string().meta({ description: 'Where links in messages lead; empty when it is not known' }),
  now: z.iso.datetime().meta({ description: 'The time of the app' }),
})
export type Report = z.infer<typeof reportSchema>
