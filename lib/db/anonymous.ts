import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import type { Database } from './database.types'
import type { Db } from './types'

/** A client of nobody, for one request: it keeps its session, when it gets one, in memory only. */
export function anonymousDb(): Db {
  return createClient<Database>(env().SUPABASE_URL, env().SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, flowType: 'implicit' },
  })
}
