import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const colleagueSchema = z.object({ id: z.string(), name: z.string() })
export type Colleague = z.infer<typeof colleagueSchema>

/** The people of the caller's organization by name, whatever the caller's role: whom something can be given to. */
export async function listColleagues({ db }: Pick<Session, 'db'>): Promise<Colleague[]> {
  return z.array(colleagueSchema).parse(unwrap(await db.rpc('list_colleagues')) ?? [])
}
