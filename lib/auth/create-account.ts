import 'server-only'
import type { AuthError } from '@supabase/supabase-js'
import { anonymousDb } from '@/lib/db/anonymous'
import { serviceDb } from '@/lib/db/service'

/**
 * Creates an account in Supabase Auth with its address confirmed. The embedded Auth has no admin API: there it signs
 * up.
 * @param metadata the data that the database's trigger needs to admit the account
 * @throws AuthError
 */
export async function createAccount(
  account: { email: string; password: string },
  metadata: object,
): Promise<'created' | 'exists'> {
  const created = await serviceDb().auth.admin.createUser({
    ...account,
    email_confirm: true,
    user_metadata: metadata,
  })
  if (!created.error) return 'created'
  if (!lacksAdminApi(created.error)) return existing(created.error)
  const { data, error } = await anonymousDb().auth.signUp({ ...account, options: { data: metadata } })
  if (error) return existing(error)
  // For an existing account, an Auth that confirms e-mails returns an invented user without identities.
  return !data.user || data.user.identities?.length === 0 ? 'exists' : 'created'
}

function existing(error: AuthError): 'exists' {
  if (error.code === 'user_already_exists' || error.code === 'email_exists') return 'exists'
  throw error
}

/** Whether an error of Auth means that it has no admin API, as the embedded one. */
export const lacksAdminApi = ({ status, code }: AuthError): boolean =>
  status === 404 || status === 501 || (status === 401 && code === 'no_authorization')
