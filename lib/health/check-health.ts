import 'server-only'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { reportSettings } from './report-settings'

const TIMEOUT_MS = 3000

/**
 * Whether the deployment's settings are valid, and the database answers a query within three seconds.
 * @throws HttpError 503 `{status: 'unhealthy', error}`.
 */
export async function checkHealth() {
  if (!reportSettings())
    throw new HttpError(503, { status: 'unhealthy', error: 'The settings are not valid; the log names them' })
  const { error } = await serviceDb()
    .from('organizations')
    .select('id')
    .limit(1)
    .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
  if (error) throw new HttpError(503, { status: 'unhealthy', error: 'The database does not answer' })
  return { status: 'healthy', database: 'connected', timestamp: new Date().toISOString(), version: '1.0.0' }
}
