import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

/** The first steps of a group, in their order. */
export const SETUP_STEPS = ['pms', 'locations', 'hours', 'team', 'channels', 'data'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

const done = z.boolean()
const progressSchema = z.object({
  ...{ pms: done, locations: done, hours: done, team: done, channels: done, data: done },
  /** A location whose hours are missing. */
  without_hours: z.string().nullable(),
})
export type SetupProgress = z.infer<typeof progressSchema>

/** The finished first steps of the group; null when the caller cannot do them, when hidden, and when all are done. */
export async function setupProgress({ db, can }: Pick<Session, 'db' | 'can'>): Promise<SetupProgress | null> {
  if (!can('canViewSettings')) return null
  const found = unwrap(await db.rpc('setup_progress'))
  const progress = found === null ? null : progressSchema.parse(found)
  return progress && SETUP_STEPS.some((step) => !progress[step]) ? progress : null
}
