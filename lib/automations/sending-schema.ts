import { z } from 'zod'
import { storedInstant } from '@/lib/http/instant'

export const sendingSchema = z
  .object({ stopped_at: storedInstant.nullable(), stopped_by: z.string().nullable() })
  .meta({
    id: 'Sending',
    description: 'Since when, and by whom, all that automations send is stopped; null: it is not.',
  })
export type Sending = z.infer<typeof sendingSchema>
