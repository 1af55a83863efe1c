import { z } from 'zod'
import { codeText } from '@/lib/auth/second-factor-schema'

export const secondFactorStateSchema = z
  .object({
    available: z.boolean().meta({ description: 'Whether the Auth of this installation has second factors' }),
    enrolled: z.boolean(),
    required: z.boolean().meta({ description: 'Whether the organization requires one of the caller’s role' }),
    confirmed: z.boolean().meta({
      description:
        'Whether there is nothing to confirm: no second factor, or a code given within ten minutes',
    }),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactorState = z.infer<typeof secondFactorStateSchema>

export const confirmSchema = z.strictObject({ factor_id: z.uuid(), code: codeText })
export const removeSchema = z.strictObject({ code: codeText })

export const startedSchema = z.object({
  factor_id: z.string(),
  qr: z.string().meta({ description: 'An SVG as a data: URL' }),
  secret: z.string().meta({ description: 'What the picture holds, for typing (base32)' }),
})
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })
