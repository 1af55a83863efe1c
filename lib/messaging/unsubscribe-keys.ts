import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { openRetiredKey } from '@/lib/integrations/retired-keys'
import type { Recipient } from './suppress'
import { openUnsubscribeToken, readUnsubscribeToken } from './unsubscribe-token'

/** Whom an unsubscribe link is about, also one that was sent under a former SECRETS_KEY; null when it is none of ours. */
export async function recipientOf(token: string): Promise<Recipient | null> {
  const { SECRETS_KEYS } = env()
  for (const key of SECRETS_KEYS) {
    const recipient = readUnsubscribeToken(token, key)
    if (recipient) return recipient
  }
  for (const row of unwrap(await serviceDb().from('retired_keys').select('id, sealed')) ?? []) {
    const key = openRetiredKey(row, SECRETS_KEYS)
    const recipient = key && openUnsubscribeToken(token, key)
    if (recipient) return recipient
  }
  return null
}
