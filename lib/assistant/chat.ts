import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import type { ErrorCode } from '@/lib/http/error-codes'
import { enabledAiConfig } from '@/lib/integrations/services/ai'
import { log } from '@/lib/log'
import { estimateOf, metered, takeQuestion } from './allowance'
import { readContext } from './context'
import { converse } from './converse'
import { openingMessages } from './prompt'
import { modelOf } from './provider'
import { ProviderError } from './provider-error'
import { type Chat, type ChatAnswer, failureOf } from './schema'
import { declarationOf, toolsFor } from './tools/run-calls'

const NOT_CONFIGURED: ChatAnswer = {
  success: false,
  content:
    'El asistente no está configurado. Pide a administración que configure el proveedor de IA en **Configuración → Integraciones**.',
  fallback: true,
}

/**
 * Replies to a message: as JSON, or as server-sent events when the request accepts them. When the client disconnects,
 * or after AI_BUDGET_MS, the call to the provider ends.
 * @param now the time that the context and the look-ups refer to
 * @throws HttpError 429 when today's allowance of the person or the organization is used up.
 */
export async function chat(
  session: Session,
  message: Chat,
  { request, now = new Date() }: { request: Request; now?: Date },
): Promise<Response | ChatAnswer> {
  const streams = (request.headers.get('accept') ?? '').toLowerCase().includes('text/event-stream')
  const config = await enabledAiConfig(serviceDb(), session.organization.id)
  if (!config) return streams ? eventStream(async (send) => send('done', NOT_CONFIGURED)) : NOT_CONFIGURED

  const context = await readContext(session, { now })
  const opening = { messages: openingMessages(context, message), tools: toolsFor(session).map(declarationOf) }
  const asker = { session, now }
  const first = await takeQuestion(asker, estimateOf(opening, config.maxTokens))
  const disconnected = new AbortController()
  const signal = AbortSignal.any([
    request.signal,
    disconnected.signal,
    AbortSignal.timeout(env().AI_BUDGET_MS),
  ])
  const ask = metered(modelOf(config, signal), asker, first, config.maxTokens)
  const reply = (onDelta?: (content: string) => void) =>
    converse({ session, context, ask, onDelta, now }, message).catch(failed)
  if (!streams) {
    const answer = await reply()
    return 'failure' in answer
      ? Response.json(failureOf(answer.failure), { status: 500, headers: FAILED })
      : answer
  }
  return eventStream(
    async (send) => {
      const answer = await reply((content) => send('delta', { content }))
      if (!('failure' in answer)) return send('done', answer)
      const { failure, detail } = answer
      send('error', { ...failureOf(failure), ...(detail ? { detail } : {}) })
    },
    () => disconnected.abort(),
  )
}

const FAILED = { 'X-Error-Code': 'MODEL_FAILED' satisfies ErrorCode }

/** A failed reply; `detail` is the provider's message. */
interface Failed {
  failure: string
  detail?: string
}

/** The masked message of the provider may be shown; every other error is only logged. */
function failed(error: unknown): Failed {
  if (error instanceof ProviderError) {
    log().warn({ status: error.status, reason: error.message }, 'the language model failed')
    return { failure: error.message, detail: error.message }
  }
  log().error({ err: error }, 'the assistant failed')
  return { failure: 'Unexpected error' }
}

/** Writes one server-sent event with `data` as JSON. */
type SendEvent = (event: 'delta' | 'done' | 'error', data: object) => void

/**
 * A response of server-sent events, written by `produce`; it ends when `produce` does. When the client disconnects,
 * `onCancel` is called, and later events are dropped.
 */
function eventStream(produce: (send: SendEvent) => Promise<void>, onCancel?: () => void): Response {
  const encoder = new TextEncoder()
  let open = true
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const send: SendEvent = (event, data) => {
        if (open) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      produce(send).finally(() => {
        if (open) controller.close()
        open = false
      })
    },
    cancel() {
      open = false
      onCancel?.()
    },
  })
  return new Response(stream, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Keeps proxies from buffering the events.
      'X-Accel-Buffering': 'no',
    },
  })
}
