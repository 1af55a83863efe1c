import { z } from 'zod'
import { codeText } from '@/lib/auth/schema'
import { instant } from '@/lib/http/instant'

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

export const confirmSchema = z.strictObject({ factor_id: z.guid(), code: codeText })
export const removeSchema = z.strictObject({ code: codeText })

export const startedSchema = z.object({
  factor_id: z.string(),
  qr: z.string().meta({ description: 'An SVG as a data: URL' }),
  secret: z.string().meta({ description: 'What the picture holds, for typing (base32)' }),
})
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })

/** One of the caller's sessions, as the API returns it. */
export const mySessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'The session of this request' }),
    browser: z.string().nullable().meta({ description: 'Null when unknown' }),
    system: z.string().nullable(),
    network: z
      .string()
      .nullable()
      .meta({ description: 'The /24 of an IPv4 address, the /48 of an IPv6 one' }),
    place: z
      .string()
      .nullable()
      .meta({ description: 'Where its network was at the sign-in; only on Vercel' }),
    created_at: instant,
    last_seen_at: instant.meta({ description: 'To five minutes' }),
    ends_at: instant.meta({ description: 'When it ends if it is not used again' }),
  })
  .meta({ id: 'OwnSession' })
export type MySession = z.infer<typeof mySessionSchema>

export const endSessionsSchema = z.strictObject({
  which: z
    .enum(['others', 'everywhere'])
    .meta({ description: '`others`: all but the current one; `everywhere`: that one too' }),
})
