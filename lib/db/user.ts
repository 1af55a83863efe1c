import 'server-only'
import { type CookieMethodsServer, createServerClient } from '@supabase/ssr'
import { env } from '@/lib/env'
import { authFetch, presentCaller } from './auth-fetch'
import type { Database } from './database.types'
import { PERSON_WAITS_MS, patientFetch } from './patient-fetch'
import type { Db } from './types'

const UNJUDGED = { code: 'AUTH_UNAVAILABLE', message: 'Auth does not refresh the session now' }

/** Whether a call asks the database without a person's token. */
const asksAsStranger = (input: RequestInfo | URL, init?: RequestInit) =>
  String(input).includes('/rest/v1/') &&
  new Headers(init?.headers).get('authorization') === `Bearer ${env().SUPABASE_PUBLISHABLE_KEY}`

/**
 * A client with the rights of the person signed in by the cookies; RLS applies. The cookies stay when Auth gives no
 * verdict on their session (its limits, an outage): the next request tries again.
 */
export function userDb(cookies: CookieMethodsServer): Db {
  let isUnjudged = false
  const setAll: CookieMethodsServer['setAll'] = (changes, headers) =>
    cookies.setAll?.(isUnjudged ? changes.filter(({ value }) => value !== '') : changes, headers)
  const ask = authFetch(patientFetch(PERSON_WAITS_MS), {
    refreshed: (isVerdict) => {
      isUnjudged = !isVerdict
    },
    from: presentCaller(),
  })
  return createServerClient<Database>(env().SUPABASE_URL, env().SUPABASE_PUBLISHABLE_KEY, {
    cookies: { getAll: cookies.getAll, setAll },
    global: {
      // Without a token the client asks as a stranger, whose answer would mean that the session is over.
      fetch: async (input, init) =>
        isUnjudged && asksAsStranger(input, init)
          ? Response.json(UNJUDGED, { status: 500 })
          : ask(input, init),
    },
  })
}
