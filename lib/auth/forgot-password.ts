import 'server-only'
import { anonymousDb } from '@/lib/db/anonymous'
import { runAfter } from '@/lib/http/after'

/**
 * Has Auth send a link to /reset-password, if the address has an account. It does so after the answer, so neither its
 * words nor its time tell whether there is one; a failure is logged.
 */
export function forgotPassword(email: string): { success: true } {
  runAfter('forgot-password', async () => {
    const { error } = await anonymousDb().auth.resetPasswordForEmail(email)
    if (error) throw error
  })
  return { success: true }
}
