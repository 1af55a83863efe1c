import { z } from 'zod'

const detailSchema = z.object({
  automationId: z.string(),
  automationName: z.string(),
  success: z.boolean(),
  processed: z.int(),
  sent: z.int(),
  skipped: z.int(),
  failed: z.int(),
})
export type Detail = z.infer<typeof detailSchema>

/** The answer of the automations job, to the contract's letter. */
export const automationsJobSchema = z.object({
  success: z.literal(true),
  timestamp: z.iso.datetime(),
  total: z.int(),
  executed: z.int(),
  failed: z.int(),
  statistics: z.object({
    totalProcessed: z.int(),
    totalSent: z.int(),
    totalSkipped: z.int(),
    totalFailed: z.int(),
  }),
  details: z.array(detailSchema),
})
export type AutomationsAnswer = z.infer<typeof automationsJobSchema>
