import type { Session } from '@/lib/auth/session'
import { nextArrivals } from '@/lib/overview/next-arrivals'
import { Arrivals } from './arrivals'

/** Who comes next, read when its turn comes. */
export async function ArrivalsPanel({
  session,
  locationId,
  known,
}: {
  session: Session
  locationId?: string
  known: boolean
}) {
  const arrivals = await nextArrivals(session, { locationId })
  return <Arrivals arrivals={arrivals} known={known} linked={session.can('canAccessClientes')} />
}
