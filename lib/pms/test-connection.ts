import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { boundTo, refuseBound } from '@/lib/auth/session'
import { localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import type { CONFIG_INPUTS, TestReason, TestResult } from '@/lib/integrations/schema'
import { addressOf } from '@/lib/integrations/secrets'
import { storedPmsConfig } from '@/lib/integrations/services/pms'
import { checkPms } from './check'

type Caller = Pick<Session, 'organization' | 'db' | 'user_id' | 'role'>
type Typed = z.infer<typeof CONFIG_INPUTS.pms>

/** The address and the key to try, and the restaurant to ask about where no location names one. */
interface Settings {
  baseUrl: string
  apiKey: string
  venueId: string | null
}

/** Why a test cannot even begin. */
class NotTried extends Error {
  constructor(
    readonly reason: TestReason,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Asks the PMS for one day of one restaurant, with what is `typed`, or with the stored settings (enabled or not): of the
 * caller's first location with a PMS id, else of `venue_id`, which comes first when it is typed. Nothing is saved.
 * @throws HttpError 403 for settings typed by a caller bound to locations.
 */
export async function testPms(caller: Caller, typed?: Typed, now = new Date()): Promise<TestResult> {
  if (typed) await refuseBound(caller)
  try {
    const settings = typed ? await typedSettings(caller, typed) : await storedSettings(caller)
    const { venue, timezone } = await restaurantOf(caller, settings.venueId, typed !== undefined)
    const { PMS_TIMEOUT_MS: timeoutMs, ALLOW_LOOPBACK_UPSTREAMS: allowLoopback } = env()
    return await checkPms({ ...settings, timeoutMs, allowLoopback }, venue, localDate(now, timezone))
  } catch (error) {
    if (!(error instanceof NotTried)) throw error
    return { success: false, reason: error.reason, error: error.message }
  }
}

async function storedSettings({ organization }: Caller): Promise<Settings> {
  const stored = await storedPmsConfig(serviceDb(), organization.id).catch(() => {
    throw new NotTried('unreadable_key', 'the stored key cannot be read: enter it again')
  })
  if (!stored) throw new NotTried('not_configured', 'PMS integration is not configured')
  return stored
}

/** The settings as saving would leave them: a key that was not typed is the stored one, which stays at its address. */
async function typedSettings(caller: Caller, { base_url, api_key, venue_id }: Typed): Promise<Settings> {
  if (!base_url || api_key === null) throw new NotTried('not_configured', 'PMS integration is not configured')
  const venueId = venue_id ?? null
  if (api_key !== undefined) return { baseUrl: base_url, apiKey: api_key, venueId }
  const stored = await storedSettings(caller)
  if (addressOf('pms', { base_url }) !== addressOf('pms', { base_url: stored.baseUrl }))
    throw new NotTried('new_address', 'the stored key belongs to another address: enter it again')
  return { baseUrl: base_url, apiKey: stored.apiKey, venueId }
}

/** The restaurant to ask about, as the PMS calls it, and its time zone. */
async function restaurantOf(
  caller: Caller,
  venueId: string | null,
  typedFirst: boolean,
): Promise<{ venue: string; timezone: string }> {
  const active = caller.db.from('locations').select('pms_id, timezone').eq('is_active', true)
  const found = active.eq('organization_id', caller.organization.id)
  const [location] = unwrap(await found.not('pms_id', 'is', null).order('name').limit(1)) ?? []
  if (location?.pms_id && !(typedFirst && venueId))
    return { venue: location.pms_id, timezone: location.timezone }
  // It may be a location where a bound caller does not work.
  if (!venueId || (await boundTo(caller)))
    throw new NotTried('no_location', 'no active location has a PMS id')
  return { venue: venueId, timezone: caller.organization.timezone }
}
