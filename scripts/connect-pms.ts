// `npm run connect-pms -- <organization slug> <PMS base URL>`: stores the PMS credentials, the key encrypted. The key comes
// from PMS_API_KEY, so that it stays out of the shell's history; SUPABASE_* and SECRETS_KEY as the app has them.
import { existsSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import type { Database } from '../lib/db/database.types'
import { savePmsConfig } from '../lib/integrations/save-pms-config'
import { checkedBaseUrl } from '../lib/pms/base-url'

for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

function required(name: string, ...others: string[]): string {
  const value = [name, ...others].map((key) => process.env[key]).find(Boolean)
  if (!value) throw new Error(`${name} is not set`)
  return value
}

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
  const settings = {
    organizationId: data.id,
    baseUrl: checkedBaseUrl(baseUrl, process.env.ALLOW_LOOPBACK_UPSTREAMS === '1'),
    apiKey: required('PMS_API_KEY'),
    venueId: slug,
  }
  await savePmsConfig(db, settings, required('SECRETS_KEY'))
  console.log(`${data.name} is connected to its PMS.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
