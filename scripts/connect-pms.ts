// `npm run connect-pms -- <PMS address> [restaurant]`: asks the PMS for one day of a restaurant, says what it understood,
// and then stores the address and the key, encrypted. With --check it stores nothing, and needs no Supabase. The key comes from PMS_API_KEY, so that it stays out of the shell's
// history; SUPABASE_URL, SUPABASE_SECRET_KEY and SECRETS_KEY as in the app.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { safeBaseUrl } from '../lib/address/address'
import { RefusedAddress } from '../lib/address/refusals'
import { localDate } from '../lib/dates'
import type { Database } from '../lib/db/database.types'
import { TIME_ZONE } from '../lib/i18n/locales'
import { savePmsConfig } from '../lib/integrations/save-pms-config'
import { checkReachable } from '../lib/outgoing/lookup'
import { checkPms, type PmsCheck } from '../lib/pms/check'
import type { PmsDetails } from '../lib/pms/details'
import { required } from './required'

const USAGE =
  'Usage: PMS_API_KEY=… npm run connect-pms -- [--check] <PMS address> [restaurant, as the PMS calls it]'

for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' } },
  })
  const [address, restaurant] = positionals
  if (!address || (values.check && !restaurant)) throw new Error(USAGE)
  const allowLoopback = process.env.ALLOW_LOOPBACK_UPSTREAMS === '1'
  const baseUrl = safeBaseUrl(address, allowLoopback)
  await checkReachable(address, allowLoopback)
  const apiKey = required('PMS_API_KEY')
  const timeoutMs = Number(process.env.PMS_TIMEOUT_MS) || 15_000
  const ask = async (venue: string, timezone: string) => {
    const connection = { baseUrl, apiKey, timeoutMs, allowLoopback }
    const check = await checkPms(connection, venue, localDate(new Date(), timezone))
    for (const line of linesOf(check, venue)) console.log(line)
    if (!check.success) throw new Error('Nothing was stored.')
  }
  if (values.check && restaurant) {
    await ask(restaurant, TIME_ZONE)
    console.log('Nothing was stored: --check only asks.')
    process.exit(0)
  }
  const secretsKey = required('SECRETS_KEY')
  const key = required('SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY')
  const db = createClient<Database>(required('SUPABASE_URL'), key, { auth: { persistSession: false } })
  const group = await theGroup()
  const { venue, venueId, timezone } = await restaurantOf(group, restaurant)
  await ask(venue, timezone)
  await savePmsConfig(db, { organizationId: group.id, baseUrl, apiKey, venueId }, [secretsKey])
  await noteTest(group.id)
  const tried = venueId ? `, and the restaurant to test with (${venueId})` : ''
  console.log(
    `Stored for ${group.name}, and switched on: the address ${baseUrl}, the key (encrypted)${tried}.`,
  )

  /** Notes that the saved settings passed the test: saving forgets earlier ones, and the set-up list would ask again. */
  async function noteTest(p_organization: string) {
    const saved = db.from('integration_configs').select('updated_at')
    const of = { organization_id: p_organization, integration_type: 'pms' }
    const { data } = await saved.match(of).single().throwOnError()
    // Nobody of the group tested, and there is no reason of a failure.
    const none = null as unknown as string
    const test = { p_organization, p_kind: 'pms', p_by: none, p_reason: none, p_seen: data.updated_at }
    await db.rpc('note_integration_test', test).throwOnError()
  }

  /** The one group of this installation. */
  async function theGroup() {
    const query = db.from('organizations').select('id, name, timezone').limit(2)
    const [one, other] = (await query.throwOnError()).data
    if (!one) throw new Error('There is no group yet: open the app, whose page /setup makes it.')
    if (other) throw new Error('There are several groups: connect each under Settings → Integrations.')
    return one
  }

  /** The restaurant to ask about: the one named, that of the first location, or the one stored for tests. */
  async function restaurantOf({ id, timezone }: { id: string; timezone: string }, named?: string) {
    const stored = await db
      .from('integration_configs')
      .select('venue_id:config->>venue_id')
      .match({ organization_id: id, integration_type: 'pms' })
      .maybeSingle()
      .throwOnError()
    const venueId = named ?? stored.data?.venue_id ?? null
    if (named) return { venue: named, venueId, timezone }
    const locations = db.from('locations').select('pms_id, timezone').eq('organization_id', id)
    const active = locations.eq('is_active', true).not('pms_id', 'is', null).order('name').limit(1)
    const [location] = (await active.throwOnError()).data
    if (location?.pms_id) return { venue: location.pms_id, venueId, timezone: location.timezone }
    if (venueId) return { venue: venueId, venueId, timezone }
    throw new Error(`No location has a PMS id yet: name a restaurant to ask about.\n${USAGE}`)
  }
} catch (error) {
  const address = error instanceof RefusedAddress ? 'the PMS address ' : ''
  console.error(error instanceof Error ? `${address}${error.message}` : error)
  process.exit(1)
}

function linesOf(check: PmsCheck, venue: string): string[] {
  const failure = check.success ? [] : [`${venue}: ${check.error} (${check.reason}).`]
  return [...failure, ...(check.details ? understood(check.details) : [])]
}

function understood(details: PmsDetails): string[] {
  const { venue, day, bookings, covers, first, last, shape, pages } = details
  const list = (entries: [string, number][]) =>
    entries
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')
  const words = details.unknown_statuses.map(({ value, count }): [string, number] => [`"${value}"`, count])
  const unreadable = list(details.unreadable.map(({ problem, count }) => [problem, count]))
  const lines =
    bookings > 0
      ? [
          `${venue} on ${day}: ${bookings} bookings, ${covers} covers, from ${first} to ${last}.`,
          `  by status: ${list(Object.entries(details.by_status))}`,
          `  without a valid e-mail or phone: ${details.without_contact}`,
        ]
      : [`${venue}: no bookings on ${day}${shape ? '' : ', nor on the seven days before'}.`]
  if (!shape) lines.push("  Check that this is the restaurant's id in the PMS.")
  if (shape) lines.push(`  fields: ${shape}; pages: ${pages}`)
  if (words.length > 0) lines.push(`  statuses not known, taken as pending: ${list(words)}`)
  if (unreadable) lines.push(`  rows that cannot be read: ${unreadable}`)
  if (details.other_days > 0) lines.push(`  rows of days that were not asked for: ${details.other_days}`)
  if (details.repeated > 0) lines.push(`  rows whose id came before: ${details.repeated}`)
  return lines
}
