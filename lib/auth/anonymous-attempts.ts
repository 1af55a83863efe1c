import 'server-only'
import type { Attempts } from '@/lib/http/attempts'
import { clientNetwork } from './client-address'

const EMAIL_LIMIT = 10
const NETWORK_LIMIT = 60

/**
 * What an endpoint without a session counts by, in a minute: ten times an e-mail, sixty times a network; ten times a
 * network where there is no e-mail.
 */
export function anonymousAttempts(endpoint: string, request: Request, email?: string): Attempts {
  const network = `${endpoint}:network:${clientNetwork(request)}`
  if (email === undefined) return { seconds: 60, most: { [network]: EMAIL_LIMIT } }
  return { seconds: 60, most: { [network]: NETWORK_LIMIT, [`${endpoint}:email:${email}`]: EMAIL_LIMIT } }
}
