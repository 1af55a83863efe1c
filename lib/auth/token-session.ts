import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import type { Database } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { refuseFor } from '@/lib/http/attempts'
import { machineAddress } from '@/lib/tokens/machine-account'
import { hashOfSecret, tokenIn } from '@/lib/tokens/token'
import { clientNetwork } from './client-address'
import { type Session, sessionOf } from './session'

/** A signed-in machine account: its access token, and until when (ms) it is used. */
interface SignedIn {
  accessToken: string
  until: number
}

const MAX_SIGNED_IN = 500
// An access token is left before it ends, so that no request outlasts it.
const MARGIN_MS = 120_000
const signedIn = new Map<string, Promise<SignedIn>>()

const useSchema = z.object({ outcome: z.enum(['known', 'refused']), wait: z.number() })

/**
 * The session of the API token a request carries, with a database client that RLS treats as the token's machine; null
 * when the token is malformed, unknown, expired or revoked. The token is checked each time; its sign-in is kept.
 * @throws HttpError 429 from the 121st request of a token, and from the 31st refusal of a network, in a minute.
 */
export async function readTokenSession(request: Request): Promise<Session | null> {
  const token = tokenIn(request)
  if (!token) return null
  const { id, secret } = token
  const used = await serviceDb().rpc('use_api_token', {
    p_id: id,
    p_token_hash: hashOfSecret(secret),
    p_network: clientNetwork(request),
  })
  const { outcome, wait } = useSchema.parse(unwrap(used))
  refuseFor(wait)
  if (outcome === 'refused') return null
  // A session that was ended by itself is followed by a new one, once.
  return (await sessionOf(await machineDb(id, secret))) ?? renewed(id, secret)
}

async function renewed(id: string, secret: string): Promise<Session | null> {
  signedIn.delete(id)
  return sessionOf(await machineDb(id, secret))
}

async function machineDb(id: string, secret: string) {
  const { accessToken } = await signIn(id, secret)
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY } = env()
  return createClient<Database>(SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, {
    accessToken: async () => accessToken,
  })
}

/** One sign-in for all requests of a token, until shortly before it ends. */
async function signIn(id: string, secret: string): Promise<SignedIn> {
  const kept = signedIn.get(id)
  if (kept) {
    const session = await kept.catch(() => null)
    if (session && session.until > Date.now()) return session
    if (signedIn.get(id) === kept) signedIn.delete(id)
  }
  const next = signedIn.get(id) ?? signInAnew(id, secret)
  signedIn.set(id, next)
  const [oldest] = signedIn.keys()
  if (signedIn.size > MAX_SIGNED_IN && oldest) signedIn.delete(oldest)
  return next
}

async function signInAnew(id: string, secret: string): Promise<SignedIn> {
  const { data, error } = await anonymousDb().auth.signInWithPassword({
    email: machineAddress(id),
    password: secret,
  })
  if (error) throw error
  const { access_token, expires_in } = data.session
  return { accessToken: access_token, until: Date.now() + expires_in * 1000 - MARGIN_MS }
}
