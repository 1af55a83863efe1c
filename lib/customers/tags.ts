import { z } from 'zod'

export const customerTagSchema = z
  .object({ tag: z.string(), customers: z.number() })
  .meta({ id: 'CustomerTag', description: 'A tag and how many customers have it' })
export type CustomerTag = z.infer<typeof customerTagSchema>
