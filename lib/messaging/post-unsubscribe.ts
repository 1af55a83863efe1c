import 'server-only'
import { readForm } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { changeSubscription } from './unsubscribe'
import { unsubscribeForm } from './unsubscribe-operations'

/**
 * What somebody's click, or their mail program, posted to a link.
 * @throws HttpError 404 for a token that is none of ours; 400, 413 or 415 for a malformed form.
 */
export async function postUnsubscribe(
  request: Request,
  token: string,
): Promise<Response | { success: true }> {
  const form = unsubscribeForm.safeParse(Object.fromEntries(await readForm(request)))
  if (!form.success) throw new HttpError(400, { error: 'Malformed form' })
  const { action } = form.data
  await changeSubscription(token, action ?? 'unsubscribe')
  if (!action) return { success: true }
  return new Response(null, { status: 303, headers: { Location: `/u/${token}` } })
}
