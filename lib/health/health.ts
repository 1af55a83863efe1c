import 'server-only'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { log } from '@/lib/log'

const TIMEOUT_MS = 3000

/**
 * Whether the deployment's settings are valid, and the database responds to a query within three seconds.
 * @throws HttpError 503 `{status: 'unhealthy', error}`.
 */
export async function checkHealth() {
  if (!reportSettings()) throw unhealthy('The settings are not valid; the log names them')
  const { error } = await serviceDb()
    .from('organizations')
    .select('id')
    .limit(1)
    .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
  if (error) throw unhealthy()
  return { status: 'healthy', database: 'connected', timestamp: new Date().toISOString(), version: '1.0.0' }
}

const unhealthy = (error?: string) => new HttpError('UNHEALTHY', { error, fields: { status: 'unhealthy' } })

/** Whether the deployment's settings are valid. If not, the log names each invalid variable, never a value. */
export function reportSettings(): boolean {
  try {
    env()
    return true
  } catch (error) {
    log().fatal({ err: error }, 'the settings are not valid')
    return false
  }
}
