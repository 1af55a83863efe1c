import 'server-only'
import { lacksAdminApi } from '@/lib/auth/admin-api'
import { anonymousDb } from '@/lib/db/anonymous'
import { serviceDb } from '@/lib/db/service'

const DOMAIN = '@machines.invalid'

/** The e-mail of a token's account in Auth; private.machine_address has the same. No mail reaches it. */
export function machineAddress(id: string): string {
  return `token-${id}${DOMAIN}`
}

/** Whether an e-mail is that of a token's account, for which nothing is ever mailed. */
export function isMachineAddress(email: string): boolean {
  return email.endsWith(DOMAIN)
}

/**
 * Makes the account of a token, whose password is the token's secret; `proof` admits it, once.
 * @throws AuthError
 */
export async function makeMachineAccount(id: string, secret: string, proof: string): Promise<void> {
  const account = { email: machineAddress(id), password: secret }
  const metadata = { machine_token: proof }
  const made = await serviceDb().auth.admin.createUser({
    ...account,
    email_confirm: true,
    user_metadata: metadata,
  })
  if (!made.error) return
  if (!lacksAdminApi(made.error)) throw made.error
  const { error } = await anonymousDb().auth.signUp({ ...account, options: { data: metadata } })
  if (error) throw error
}
