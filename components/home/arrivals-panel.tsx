import type { Session } from '@/lib/auth/session'
import { nextArrivals } from '@/lib/overview/next-arrivals'
import { Arrivals } from './arrivals'

/** Who comes next, read when its turn comes. */
export async function ArrivalsPanel({ session, locationId }: { session: Session; locationId?: string }) {
  const arrivals = await nextArrivals(session, { locationId })
  return <Arrivals arrivals={arrivals} linked={session.can('canAccessClientes')} />
}
