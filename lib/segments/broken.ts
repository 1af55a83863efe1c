import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { segmentDefinition } from './schema'

/** Whether a segment is there and its conditions cannot be read any more. Nobody belongs to it then. */
export async function isBrokenSegment(db: Db, id: string): Promise<boolean> {
  const found = unwrap(await db.from('segments').select('definition').eq('id', id).maybeSingle())
  return found !== null && !segmentDefinition.safeParse(found.definition).success
}
