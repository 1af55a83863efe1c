import 'server-only'
import { z } from 'zod'
import { patientFetch } from '@/lib/db/patient-fetch'
import { serviceDb } from '@/lib/db/service'
import { env, InvalidSettings, type SettingProblem } from '@/lib/env'
import { SCHEMA_VERSION } from './schema-version'

const TIMEOUT_MS = 3000

/** Why the app cannot run: one of several sentences, each with its own remedy. */
export type Fault =
  | { kind: 'settings'; settings: readonly SettingProblem[] }
  /** The database gives no answer in time, or none at all. */
  | { kind: 'silent' }
  /** Something answers at SUPABASE_URL, and it is no Supabase. */
  | { kind: 'foreign' }
  | { kind: 'key_refused'; setting: 'SUPABASE_SECRET_KEY' | 'SUPABASE_PUBLISHABLE_KEY' }
  | { kind: 'schema_missing' }
  /** The migrations of this build were not all applied. */
  | { kind: 'schema_old' }

/** What the database says of itself (SQL: installation_state). */
export const stateSchema = z.object({ version: z.string(), now: z.coerce.date() })

/** The reason why the app cannot run, asked now; null when it can. Takes three seconds at most for each question. */
export async function findFault(): Promise<Fault | null> {
  try {
    env()
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    return { kind: 'settings', settings: error.problems }
  }
  const [database, isKnown] = await Promise.all([databaseFault(), isPublishableKeyTaken()])
  return database ?? (isKnown ? null : { kind: 'key_refused', setting: 'SUPABASE_PUBLISHABLE_KEY' })
}

const ask = patientFetch(TIMEOUT_MS)
const limit = () => AbortSignal.timeout(TIMEOUT_MS)

async function databaseFault(): Promise<Fault | null> {
  const { data, error, status } = await serviceDb().rpc('installation_state').abortSignal(limit())
  if (!error) {
    const state = stateSchema.safeParse(data)
    if (!state.success) return { kind: 'foreign' }
    return state.data.version < SCHEMA_VERSION ? { kind: 'schema_old' } : null
  }
  // A gateway that is busy, or whom the address does not please, says nothing about the key.
  if (status === 0 || status >= 500 || status === 429 || (status === 403 && !error.code))
    return { kind: 'silent' }
  if (status === 401 || status === 403) return { kind: 'key_refused', setting: 'SUPABASE_SECRET_KEY' }
  // PostgREST's and Postgres' own codes; pages of other servers have none.
  if (!error.code) return { kind: 'foreign' }
  return schemaFault()
}

/** Which of both, where the database does not know the function that names its version. */
async function schemaFault(): Promise<Fault> {
  const { error, status } = await serviceDb().from('organizations').select('id').limit(1).abortSignal(limit())
  if (!error) return { kind: 'schema_old' }
  return status === 0 || status >= 500 ? { kind: 'silent' } : { kind: 'schema_missing' }
}

/** False when Auth's gateway refuses the key. Auth's silence is no fault here: pages wait for it. */
async function isPublishableKeyTaken(): Promise<boolean> {
  const settings = await authSettings()
  return settings !== 'refused'
}

const authSettingsSchema = z.object({
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.boolean(),
  external: z.object({ email: z.boolean() }),
})
/** Those of Auth's settings that it tells everybody. */
export type AuthSettings = z.infer<typeof authSettingsSchema>

/** Auth's public settings, asked with the publishable key; `refused` when it is not accepted, null without an answer. */
export async function authSettings(): Promise<AuthSettings | 'refused' | null> {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY } = env()
  try {
    const answer = await ask(`${SUPABASE_URL.replace(/\/+$/, '')}/auth/v1/settings`, {
      headers: { apikey: SUPABASE_PUBLISHABLE_KEY },
      cache: 'no-store',
    })
    if (answer.status === 401 || answer.status === 403) return 'refused'
    return answer.ok ? (authSettingsSchema.safeParse(await answer.json()).data ?? null) : null
  } catch {
    return null
  }
}
