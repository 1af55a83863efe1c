import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const useSchema = z.object({ calls: z.int(), tokens: z.int() })
/** Questions to the assistant and the tokens they took. */
export type AiUse = z.infer<typeof useSchema>

/** What the assistant has been used today: by all people for those who see the settings, else by the caller. */
export async function aiUseToday({ db }: Pick<Session, 'db'>, now = new Date()): Promise<AiUse> {
  return useSchema.parse(unwrap(await db.rpc('ai_use_today', { p_now: now.toISOString() })))
}
