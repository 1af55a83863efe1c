import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { actingPerson } from '@/lib/auth/acting'
import { env } from '@/lib/env'
import type { Database } from './database.types'
import type { Db } from './types'

let client: Db | undefined

/** The service client: bypasses RLS. Only for jobs, webhooks, health and the admin utilities. */
export function serviceDb(): Db {
  client ??= createClient<Database>(env().SUPABASE_URL, env().SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: namingTheActor },
  })
  return client
}

/** Functions called for a person's request carry whose it is: the audit log names them (private.acting). */
function namingTheActor(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const person = actingPerson()
  if (!person) return fetch(input, init)
  const headers = new Headers(init?.headers)
  headers.set('x-acting-for', person)
  return fetch(input, { ...init, headers })
}
