import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuseFor } from '@/lib/http/rate-limit'
import type { AskModel } from './provider'
import { ProviderError } from './provider-error'

const reservedSchema = z.object({ day: z.string(), wait: z.int() })

/** The tokens reserved for one call until its real use is known. */
interface Reservation {
  day: string
  tokens: number
}

/** The person and organization that pay from their allowance, and the time. */
export interface Asker {
  session: Pick<Session, 'user_id' | 'organization'>
  now: Date
}

type Params = Parameters<AskModel>[0]

// Our texts have at least three bytes a token; the count of the provider replaces the estimate.
const BYTES_A_TOKEN = 3

/** The maximum tokens of a call: its request, and a reply of `maxTokens`. */
export function estimateOf({ messages, tools }: Params, maxTokens: number): number {
  const sent = Buffer.byteLength(JSON.stringify({ messages, tools }))
  return Math.ceil(sent / BYTES_A_TOKEN) + maxTokens
}

/**
 * Takes a question and its first call from today's allowance of the person and of the organization.
 * @throws HttpError 429 with Retry-After until the organization's midnight when the allowance is used up.
 */
export async function takeQuestion(asker: Asker, tokens: number): Promise<Reservation> {
  const { day, wait } = await reserve(asker, { calls: 1, tokens })
  refuseFor(wait)
  return { day, tokens }
}

/**
 * The model with metered calls: the first one is reserved already, each later one reserves its tokens, and all settle
 * their real use. A call that breaks off keeps its reservation, because its use is unknown.
 * @throws ProviderError from the call when the allowance is used up.
 */
export function metered(ask: AskModel, asker: Asker, first: Reservation, maxTokens: number): AskModel {
  let ready: Reservation | undefined = first
  return async (params, onDelta) => {
    const reservation = ready ?? (await reserveNext(asker, estimateOf(params, maxTokens)))
    ready = undefined
    try {
      const turn = await ask(params, onDelta)
      if (turn.usage.total_tokens > 0) await settle(asker, reservation, turn.usage.total_tokens)
      return turn
    } catch (error) {
      // A provider that refuses has produced no tokens.
      if (error instanceof ProviderError && error.status !== undefined) await settle(asker, reservation, 0)
      throw error
    }
  }
}

async function reserveNext(asker: Asker, tokens: number): Promise<Reservation> {
  const { day, wait } = await reserve(asker, { calls: 0, tokens })
  if (wait > 0)
    throw new ProviderError('Se ha llegado al límite de uso de hoy antes de terminar la respuesta')
  return { day, tokens }
}

async function reserve({ session, now }: Asker, { calls, tokens }: { calls: number; tokens: number }) {
  const parameters = {
    p_organization: session.organization.id,
    p_person: session.user_id,
    p_calls: calls,
    p_tokens: tokens,
    p_now: now.toISOString(),
  }
  return reservedSchema.parse(unwrap(await serviceDb().rpc('reserve_ai', parameters)))
}

async function settle({ session }: Asker, { day, tokens }: Reservation, used: number): Promise<void> {
  const parameters = {
    p_organization: session.organization.id,
    p_person: session.user_id,
    p_day: day,
    p_reserved: tokens,
    p_used: Math.min(used, 100_000_000),
  }
  unwrap(await serviceDb().rpc('settle_ai', parameters))
}

const useSchema = z.object({ calls: z.int(), tokens: z.int() })
/** Counts of questions to the assistant and of the tokens they used. */
export type AiUse = z.infer<typeof useSchema>

/** Today's use of the assistant: by all members for callers who may view the settings, else by the caller. */
export async function aiUseToday({ db }: Pick<Session, 'db'>, now = new Date()): Promise<AiUse> {
  return useSchema.parse(unwrap(await db.rpc('ai_use_today', { p_now: now.toISOString() })))
}
