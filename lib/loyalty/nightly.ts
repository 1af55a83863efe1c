import 'server-only'
import type { JobContext } from '@/lib/jobs/job'
import { onceANight } from '@/lib/jobs/once-a-night'
import { raiseTiers } from './recalculate'

/** Evaluates everyone's tier once a night. */
export function evaluateNightly(context: JobContext): Promise<void> {
  return onceANight(context, { job: 'loyalty', leaseSeconds: 300 }, async (organizationId) => {
    const { complete, ...result } = await raiseTiers(context.db, organizationId, { signal: context.signal })
    return { status: complete ? 'succeeded' : 'partial', result, value: null }
  })
}
