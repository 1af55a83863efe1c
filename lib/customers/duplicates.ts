import { z } from 'zod'
import { customerSchema } from './schema'

/**
 * Why a group is likely one person. `email`: the same mailbox (without +suffix, and without dots at Gmail).
 * `name_and_birth_date`: the same name, accents and case aside, and date. `phone`: the same phone, and the same name or
 * none; where a phone has several names, only those of the same name.
 */
export const duplicateGroupSchema = z
  .object({
    reason: z.enum(['email', 'name_and_birth_date', 'phone']),
    customers: z.array(customerSchema).meta({ description: 'The first known first, ten at most' }),
  })
  .meta({ id: 'DuplicateGroup' })
export type DuplicateGroup = z.infer<typeof duplicateGroupSchema>
