import 'server-only'
import { cache } from 'react'
import { pageSession } from '@/lib/auth/page-session'
import { HttpError } from '@/lib/http/errors'
import { getTicket } from '@/lib/tickets/get-ticket'
import type { Ticket } from '@/lib/tickets/schema'
import { isUuid } from '@/lib/uuid'

/** The ticket a page is about, or null when there is none that the person may see; read once a request. */
export const findTicket = cache(async (id: string): Promise<Ticket | null> => {
  const session = await pageSession()
  if (!isUuid(id)) return null
  try {
    return await getTicket(session, id)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
})
