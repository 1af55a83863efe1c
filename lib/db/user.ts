import 'server-only'
import { type CookieMethodsServer, createServerClient } from '@supabase/ssr'
import { env } from '@/lib/env'
import { authFetch } from './auth-fetch'
import type { Database } from './database.types'
import { PERSON_WAITS_MS, patientFetch } from './patient-fetch'
import type { Db } from './types'

/**
 * A client with the rights of the person signed in by the cookies; RLS applies. The cookies stay when Auth gives no
 * verdict on their session (its limits, an outage): the next request tries again.
 */
export function userDb(cookies: CookieMethodsServer): Db {
  let isUnjudged = false
  const setAll: CookieMethodsServer['setAll'] = (changes, headers) =>
    cookies.setAll?.(isUnjudged ? changes.filter(({ value }) => value !== '') : changes, headers)
  return createServerClient<Database>(env().SUPABASE_URL, env().SUPABASE_PUBLISHABLE_KEY, {
    cookies: { getAll: cookies.getAll, setAll },
    global: {
      fetch: authFetch(patientFetch(PERSON_WAITS_MS), (isVerdict) => {
        isUnjudged = !isVerdict
      }),
    },
  })
}
