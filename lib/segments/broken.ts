import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { parseRows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import { log } from '@/lib/log'
import { isReadable, type Segment, segmentDefinition, segmentSchema, shownDefinition } from './schema'

/** Whether a segment is there and its conditions cannot be read any more. Nobody belongs to it then. */
export async function isBrokenSegment(db: Db, id: string): Promise<boolean> {
  const found = unwrap(await db.from('segments').select('definition').eq('id', id).maybeSingle())
  return found !== null && !segmentDefinition.safeParse(found.definition).success
}

/** Segments as list_segments has them; a condition that cannot be read any more is broken in its place. */
export function shownSegments(rows: unknown): Segment[] {
  const found = z.array(z.looseObject({ definition: z.unknown().optional() })).parse(rows ?? [])
  return parseRows(
    segmentSchema,
    found.map((row) => {
      const definition = shownDefinition(row.definition)
      if (isReadable(definition)) return { ...row, definition }
      log().error({ row: row.id, fields: ['definition'], shown: true }, 'a stored row is broken')
      return { ...row, definition, broken: true }
    }),
  )
}
