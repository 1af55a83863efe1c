import 'server-only'
import { cache } from 'react'
import { pageSessionWith } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { HttpError } from '@/lib/http/errors'
import { isUuid } from '@/lib/uuid'
import { getAutomation } from './get-automation'
import type { Automation } from './schema'

interface Loaded {
  session: Session
  /** Null: there is none that this person may see. */
  automation: Automation | null
}

/** Who asks, and for which automation; null without the permission. Title and page share one query. */
export const pageAutomation = cache(async (id: string): Promise<Loaded | null> => {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return null
  if (!isUuid(id)) return { session, automation: null }
  try {
    return { session, automation: await getAutomation(session, id) }
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { session, automation: null }
    throw error
  }
})
