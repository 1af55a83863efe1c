import 'server-only'
import { type CookieMethodsServer, createServerClient } from '@supabase/ssr'
import { env } from '@/lib/env'
import type { Database } from './database.types'
import { PERSON_WAITS_MS, patientFetch } from './patient-fetch'
import type { Db } from './types'

/** A client with the rights of the person signed in by the cookies; RLS applies. */
export function userDb(cookies: CookieMethodsServer): Db {
  return createServerClient<Database>(env().SUPABASE_URL, env().SUPABASE_PUBLISHABLE_KEY, {
    cookies,
    global: { fetch: patientFetch(PERSON_WAITS_MS) },
  })
}
