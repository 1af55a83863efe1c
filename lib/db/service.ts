import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import type { Database } from './database.types'
import type { Db } from './types'

let client: Db | undefined

/** The service client: bypasses RLS. Only for jobs, webhooks, health and the admin utilities. */
export function serviceDb(): Db {
  client ??= createClient<Database>(env().SUPABASE_URL, env().SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  return client
}
