import { z } from 'zod'
import { instant } from '@/lib/http/instant'

/** A session of the person who asks, as the API shows it. */
export const mySessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'The session that asks' }),
    browser: z.string().nullable().meta({ description: 'Null where it said nothing known' }),
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
    .meta({ description: '`others`: all but the one that asks; `everywhere`: that one too' }),
})
