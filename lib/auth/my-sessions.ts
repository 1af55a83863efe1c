import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/refusals'
import type { Session } from './session'
import { mySessionSchema } from './session-schema'

/** The live sessions of the person who asks: this one first, then the last used; at most 100. */
export async function mySessions({ db }: Pick<Session, 'db'>) {
  return z.array(mySessionSchema).parse(unwrap(await db.rpc('my_sessions')))
}

/**
 * Ends one session of the person who asks, at once.
 * @throws HttpError 404 when none of theirs has that id.
 */
export async function endMySession({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('end_my_session', { p_session: id }))) throw notFoundError()
}

/** Ends the sessions of the person who asks, at once: all `others`, or this one too (`everywhere`). */
export async function endMySessions(
  { db }: Pick<Session, 'db'>,
  which: 'others' | 'everywhere',
): Promise<void> {
  unwrap(await db.rpc('end_my_sessions', { p_which: which }))
}
