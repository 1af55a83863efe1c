import 'server-only'
import { cache } from 'react'
import { pageSessionWith } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { HttpError } from '@/lib/http/errors'
import { isUuid } from '@/lib/uuid'
import type { Segment } from './schema'
import { getSegment } from './segments'

interface Loaded {
  session: Session
  /** Null when there is none that the person may see. */
  segment: Segment | null
}

/** The session and the segment of a page; null without the permission. Title and page share one query. */
export const pageSegment = cache(async (id: string): Promise<Loaded | null> => {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return null
  if (!isUuid(id)) return { session, segment: null }
  try {
    return { session, segment: await getSegment(session, id) }
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { session, segment: null }
    throw error
  }
})

/** A segment to choose; the name of a broken one says so. */
export const withMark = ({ id, name, broken }: Pick<Segment, 'id' | 'name' | 'broken'>, mark: string) => ({
  id,
  name: broken ? `${name} (${mark})` : name,
})
