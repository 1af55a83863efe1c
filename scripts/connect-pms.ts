// `npm run connect-pms -- <organization slug> <PMS base URL>`: stores the PMS credentials, the key encrypted. The key
// comes from PMS_API_KEY, so that it stays out of the shell's history; SUPABASE_* and SECRETS_KEY as in the app.
import { existsSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import { safeBaseUrl } from '../lib/address/address'
import { RefusedAddress } from '../lib/address/refusals'
import type { Database } from '../lib/db/database.types'
import { savePmsConfig } from '../lib/integrations/save-pms-config'
import { checkReachable } from '../lib/outgoing/lookup'
import { required } from './required'

for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

try {
  const [slug, baseUrl] = process.argv.slice(2)
  if (!slug || !baseUrl) throw new Error('Usage: npm run connect-pms -- <organization slug> <PMS base URL>')
  const key = required('SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY')
  const db = createClient<Database>(required('SUPABASE_URL'), key, { auth: { persistSession: false } })
  const { data } = await db
    .from('organizations')
    .select('id, name')
    .eq('slug', slug)
    .maybeSingle()
    .throwOnError()
  if (!data) throw new Error(`There is no organization with the slug "${slug}"`)
  const allowLoopback = process.env.ALLOW_LOOPBACK_UPSTREAMS === '1'
  const settings = {
    organizationId: data.id,
    baseUrl: safeBaseUrl(baseUrl, allowLoopback),
    apiKey: required('PMS_API_KEY'),
    venueId: slug,
  }
  await checkReachable(baseUrl, allowLoopback)
  await savePmsConfig(db, settings, [required('SECRETS_KEY')])
  console.log(`${data.name} is connected to its PMS.`)
} catch (error) {
  const address = error instanceof RefusedAddress ? 'the PMS address ' : ''
  console.error(error instanceof Error ? `${address}${error.message}` : error)
  process.exit(1)
}
