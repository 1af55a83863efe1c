import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import { authFetch } from './auth-fetch'
import type { Database } from './database.types'
import { PERSON_WAITS_MS, patientFetch } from './patient-fetch'
import type { Db } from './types'

/** A client without a session, for one request; a session it gets is kept in memory only. */
export function anonymousDb(): Db {
  return createClient<Database>(env().SUPABASE_URL, env().SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, flowType: 'implicit' },
    global: { fetch: authFetch(patientFetch(PERSON_WAITS_MS)) },
  })
}
