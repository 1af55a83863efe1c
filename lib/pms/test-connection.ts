import 'server-only'
import type { Session } from '@/lib/auth/session'
import { localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { type PmsConfig, storedPmsConfig } from '@/lib/integrations/providers'
import type { TestReason, TestResult } from '@/lib/integrations/schema'
import { checkedBaseUrl, fetchReservations, PmsError } from '@/lib/pms/client'

const TIMEOUT_MS = 5000

const failed = (reason: TestReason, error: string): TestResult => ({ success: false, reason, error })

/**
 * Asks the PMS, with the stored settings (enabled or not), for today's reservations of the caller's first location
 * that has a PMS id. Nothing is saved.
 */
export async function testPms(
  { organization, db }: Pick<Session, 'organization' | 'db'>,
  now = new Date(),
): Promise<TestResult> {
  let config: PmsConfig | null
  try {
    config = await storedPmsConfig(serviceDb(), organization.id)
  } catch {
    return failed('unreadable_key', 'the stored key cannot be read: enter it again')
  }
  if (!config) return failed('not_configured', 'PMS integration is not configured')
  const found = db.from('locations').select('pms_id, timezone').eq('is_active', true)
  const [location] = unwrap(await found.not('pms_id', 'is', null).order('name').limit(1)) ?? []
  if (!location?.pms_id) return failed('no_location', 'no active location has a PMS id')
  const day = localDate(now, location.timezone)
  const query = { slug: location.pms_id, from: day, to: day }
  try {
    const connection = {
      baseUrl: checkedBaseUrl(config.baseUrl, env().ALLOW_LOOPBACK_UPSTREAMS),
      apiKey: config.apiKey,
      timeoutMs: Math.min(TIMEOUT_MS, env().PMS_TIMEOUT_MS),
      signal: AbortSignal.timeout(2 * TIMEOUT_MS),
      retryDelaysMs: [],
    }
    await fetchReservations(connection, query).next()
    return { success: true }
  } catch (error) {
    if (error instanceof PmsError) return failed(error.reason ?? error.code, error.message)
    throw error
  }
}
