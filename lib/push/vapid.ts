import 'server-only'
import { env } from '@/lib/env'

/** The identity (VAPID, RFC 8292) of this installation for push services; null when it is not set up. */
export function vapid(): { subject: string; publicKey: string; privateKey: string } | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = env()
  return publicKey && privateKey && subject ? { subject, publicKey, privateKey } : null
}
