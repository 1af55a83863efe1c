import 'server-only'
import type { AuthError } from '@supabase/supabase-js'
import { serviceDb } from '@/lib/db/service'

/**
 * Creates an account in Supabase Auth with its address confirmed.
 * @param metadata the data that the database's trigger needs to admit the account
 * @throws AuthError
 */
export async function createAccount(
  account: { email: string; password: string },
  metadata: object,
): Promise<'created' | 'exists'> {
  const { error } = await serviceDb().auth.admin.createUser({
    ...account,
    email_confirm: true,
    user_metadata: metadata,
  })
  if (!error) return 'created'
  if (error.code === 'user_already_exists' || error.code === 'email_exists') return 'exists'
  throw error
}

/** Whether this Auth does not have what was asked for, as that of the demo. */
export const lacksPath = ({ status }: AuthError): boolean => status === 501
