import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createClient } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import { authFetch } from './auth-fetch'
import type { Database } from './database.types'
import { JOB_WAITS_MS, patientFetch } from './patient-fetch'
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

const ask = authFetch(patientFetch(JOB_WAITS_MS))

/** Calls for a person's request carry the person's id, which the audit log records (private.acting). */
function namingTheActor(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const person = actingPerson()
  if (!person) return ask(input, init)
  const headers = new Headers(init?.headers)
  headers.set('x-acting-for', person)
  return ask(input, { ...init, headers })
}

const storage = new AsyncLocalStorage<string>()

/** Runs work on behalf of a signed-in person (by id): the audit log names this person for the service's changes. */
export function actFor<T>(person: string | undefined, work: () => T): T {
  return person === undefined ? work() : storage.run(person, work)
}

/** The id of the person who made the current request, if any. */
const actingPerson = (): string | undefined => storage.getStore()
