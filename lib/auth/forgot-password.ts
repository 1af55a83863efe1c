import 'server-only'
import { anonymousDb } from '@/lib/db/anonymous'
import { runAfter } from '@/lib/http/after'
import { isMachineAddress } from '@/lib/tokens/machine-account'

/**
 * Has Auth send a link to /reset-password, if the address has an account. It does so after the answer, so neither its
 * words nor its time tell whether there is one; a failure is logged. The account of an API token gets no mail.
 */
export function forgotPassword(email: string): { success: true } {
  if (isMachineAddress(email)) return { success: true }
  runAfter('forgot-password', async () => {
    const { error } = await anonymousDb().auth.resetPasswordForEmail(email)
    if (error) throw error
  })
  return { success: true }
}
