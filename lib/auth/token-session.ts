import 'server-only'
import { createClient } from '@supabase/supabase-js'
import { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import { silenceOf } from '@/lib/db/auth-fetch'
import type { Database } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { PERSON_WAITS_MS, patientFetch } from '@/lib/db/patient-fetch'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { refuseFor } from '@/lib/http/rate-limit'
import { hashOfSecret } from '@/lib/secret'
import { clientNetwork } from './client-address'
import { type Session, sessionOf } from './session'

/** The sign-in of a machine account: its access token, and the time (ms) to replace it. */
interface SignedIn {
  accessToken: string
  until: number
}

const MAX_SIGNED_IN = 500
// Replaced this early, so that it does not expire during a request.
const MARGIN_MS = 120_000
const signedIn = new Map<string, Promise<SignedIn>>()

const useSchema = z.object({ outcome: z.enum(['known', 'refused']), wait: z.number() })

/**
 * The session of the API token a request carries, with a database client that RLS treats as the token's machine; null
 * when the token is malformed, unknown, expired or revoked. The token is checked on each request; its sign-in is
 * cached.
 * @throws HttpError 503 when Auth gives no verdict on its sign-in; 429 from the 121st request of a token, and from the 31st refusal of a network, in a minute.
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
  // When the session has ended, one retry with a new one.
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
    global: { fetch: patientFetch(PERSON_WAITS_MS) },
  })
}

/** Returns the sign-in of a token, shared by its requests until shortly before it expires. */
async function signIn(id: string, secret: string): Promise<SignedIn> {
  const kept = signedIn.get(id)
  if (kept) {
    const session = await kept.catch(() => null)
    if (session && session.until > Date.now()) return session
    if (signedIn.get(id) === kept) signedIn.delete(id)
  }
  const next = signedIn.get(id) ?? signInAgain(id, secret)
  signedIn.set(id, next)
  const [oldest] = signedIn.keys()
  if (signedIn.size > MAX_SIGNED_IN && oldest) signedIn.delete(oldest)
  return next
}

async function signInAgain(id: string, secret: string): Promise<SignedIn> {
  const { data, error } = await anonymousDb().auth.signInWithPassword({
    email: machineAddress(id),
    password: secret,
  })
  if (error) throw silenceOf(error) ?? error
  const { access_token, expires_in } = data.session
  return { accessToken: access_token, until: Date.now() + expires_in * 1000 - MARGIN_MS }
}

/** The start of every token. */
const PREFIX = 'sbm'

/** The token that a program sends: its id and its secret. */
export function tokenOf(id: string, secret: string): string {
  return `${PREFIX}_${id}_${secret}`
}

/** The part of a token that pages show. */
export function shownPrefix(id: string): string {
  return `${PREFIX}_${id.slice(0, 8)}`
}

/** Whether a request carries an API token, valid or not: `Authorization: Bearer sbm_…`. */
export function isTokenRequest({ headers }: Pick<Request, 'headers'>): boolean {
  return new RegExp(`^bearer +${PREFIX}_`, 'i').test(headers.get('authorization') ?? '')
}

/** The id and the secret of the token a request carries; null when it is malformed. */
function tokenIn({ headers }: Pick<Request, 'headers'>): { id: string; secret: string } | null {
  const form = new RegExp(
    `^bearer +${PREFIX}_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([\\w-]{43})$`,
    'i',
  )
  const [, id, secret] = form.exec(headers.get('authorization') ?? '') ?? []
  return id && secret ? { id: id.toLowerCase(), secret } : null
}

const DOMAIN = '@machines.invalid'

/** The e-mail of a token's account in Auth; private.machine_address has the same. No mail reaches it. */
export function machineAddress(id: string): string {
  return `token-${id}${DOMAIN}`
}

/** Whether an e-mail belongs to a token's account, which gets no mail. */
export function isMachineAddress(email: string): boolean {
  return email.endsWith(DOMAIN)
}
