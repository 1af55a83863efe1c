import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuseFor } from '@/lib/http/attempts'
import type { AskModel } from './provider'
import { ProviderError } from './provider-error'

const reservedSchema = z.object({ day: z.string(), wait: z.int() })

/** What one call may take, until what it took is known. */
interface Reservation {
  day: string
  tokens: number
}

/** Whose allowance, at which moment. */
export interface Asker {
  session: Pick<Session, 'user_id' | 'organization'>
  now: Date
}

type Params = Parameters<AskModel>[0]

// Our texts have three bytes a token and more; what the provider counts replaces the estimate.
const BYTES_A_TOKEN = 3

/** The most tokens that a call may take: what it sends, and an answer of `maxTokens`. */
export function estimateOf({ messages, tools }: Params, maxTokens: number): number {
  const sent = Buffer.byteLength(JSON.stringify({ messages, tools }))
  return Math.ceil(sent / BYTES_A_TOKEN) + maxTokens
}

/**
 * Takes a question and its first call from the day's allowance of the person and of the organization.
 * @throws HttpError 429 with Retry-After until the organization's midnight when it is used up.
 */
export async function takeQuestion(asker: Asker, tokens: number): Promise<Reservation> {
  const { day, wait } = await reserve(asker, { calls: 1, tokens })
  refuseFor(wait)
  return { day, tokens }
}

/**
 * The model with its calls counted: the first one has been reserved, each later one reserves for itself, and all
 * settle what they took. What a call took that broke off is not known: its reservation stays.
 * @throws ProviderError from the call when nothing is left for it.
 */
export function counted(ask: AskModel, asker: Asker, first: Reservation, maxTokens: number): AskModel {
  let ready: Reservation | undefined = first
  return async (params, onDelta) => {
    const reservation = ready ?? (await reserveNext(asker, estimateOf(params, maxTokens)))
    ready = undefined
    try {
      const turn = await ask(params, onDelta)
      if (turn.usage.total_tokens > 0) await settle(asker, reservation, turn.usage.total_tokens)
      return turn
    } catch (error) {
      // A provider that refuses has made nothing.
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
