import { randomUUID } from 'node:crypto'
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@/lib/db/database.types'
import type { Stack } from '../support/stack'

export const PASSWORD = 'mesa-tests-2026'
/** A password that people may choose: it stands nowhere in the repository. */
export const CHOSEN: string = randomUUID()
// Its bcrypt hash. Supabase Auth has no setting for the cost, and its own takes 60 ms of a core for each sign-up and
// each sign-in. Cost 5 takes two: 4, the lowest, it would compute anew at each sign-in.
const HASH = '$2a$05$.0sfLTWB4QJk4Q/P6Z9nyeW.o7W4Axn0xwcO.IJVnGRveXKFMb4wW'

/** A supabase-js client with the service key, or without a session with the publishable key. */
export function stackClient(stack: Stack, key: 'service' | 'anon'): SupabaseClient<Database> {
  const apiKey = key === 'service' ? stack.keys.secretKey : stack.keys.publishableKey
  return createClient<Database>(stack.url, apiKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/** Makes the account of someone invited, whose password is PASSWORD. `data` has the token. */
export async function makeAccount(
  stack: Stack,
  db: SupabaseClient<Database>,
  email: string,
  data: { invitation_token: string },
): Promise<void> {
  const made =
    stack.kind === 'postgres'
      ? await stackClient(stack, 'service').auth.admin.createUser({
          email,
          password_hash: HASH,
          email_confirm: true,
          user_metadata: data,
        })
      : await db.auth.signUp({ email, password: PASSWORD, options: { data } })
  if (made.error) throw made.error
}

/** The same, and signs `db` in to it. */
export async function join(...account: Parameters<typeof makeAccount>): Promise<Session> {
  await makeAccount(...account)
  const [, db, email] = account
  const signedIn = await db.auth.signInWithPassword({ email, password: PASSWORD })
  if (signedIn.error) throw signedIn.error
  return signedIn.data.session
}
