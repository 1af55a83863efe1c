import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { env } from '@/lib/env'

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Whether the request carries `Authorization: Bearer <CRON_SECRET>`; never when the secret is unset or empty. */
export function hasCronSecret(request: Request): boolean {
  const secret = env().CRON_SECRET
  const given = request.headers.get('authorization') ?? ''
  return secret !== '' && timingSafeEqual(digest(given), digest(`Bearer ${secret}`))
}
