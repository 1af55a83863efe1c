// `npm run secrets:rotate`: re-encrypts every stored secret with SECRETS_KEY; secrets of the former key are read with
// SECRETS_KEY_PREVIOUS. SUPABASE_* as in the app. Prints counts, never a secret. It may be repeated.
import { existsSync } from 'node:fs'
import { createClient } from '@supabase/supabase-js'
import type { Database } from '../lib/db/database.types'
import { rotateSecrets } from '../lib/maintenance/rotate-secrets'
import { required } from './required'

for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

try {
  const key = required('SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY')
  const db = createClient<Database>(required('SUPABASE_URL'), key, { auth: { persistSession: false } })
  const keys = [required('SECRETS_KEY'), required('SECRETS_KEY_PREVIOUS')] as const
  for (const each of keys)
    if (Buffer.from(each, 'base64').length !== 32) throw new Error('A key must be 32 bytes in base64')
  const { rotated, current, unreadable } = await rotateSecrets(db, keys)
  console.log(`${rotated} secrets sealed with the new key; ${current} had it already.`)
  if (unreadable > 0) {
    console.error(`${unreadable} open with neither key: enter them again under Settings → Integrations.`)
    process.exitCode = 1
  } else console.log('SECRETS_KEY_PREVIOUS is no longer needed.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
