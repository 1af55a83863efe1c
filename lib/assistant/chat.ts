import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { enabledAiConfig } from '@/lib/integrations/ai-config'
import { log } from '@/lib/log'
import { counted, estimateOf, takeQuestion } from './allowance'
import { readContext } from './context'
import { converse } from './converse'
import { eventStream } from './event-stream'
import { openingMessages } from './prompt'
import { modelOf } from './provider'
import { ProviderError } from './provider-error'
import { type Chat, type ChatAnswer, failureOf } from './schema'
import { declarationOf, toolsFor } from './tools'

const NOT_CONFIGURED: ChatAnswer = {
  success: false,
  content:
    'El asistente no está configurado. Pide a administración que configure el proveedor de IA en **Configuración → Integraciones**.',
  fallback: true,
}

/**
 * Answers a message: as JSON, or in server-sent events when the request accepts them. The caller's leaving
 * ends the call to the provider, and so does AI_BUDGET_MS.
 * @param now the moment the context and the look-ups are about
 * @throws HttpError 429 when the day's allowance of the person or the organization is used up.
 */
export async function chat(
  session: Session,
  message: Chat,
  { request, requestId, now = new Date() }: { request: Request; requestId: string; now?: Date },
): Promise<Response | ChatAnswer> {
  const inPieces = (request.headers.get('accept') ?? '').toLowerCase().includes('text/event-stream')
  const config = await enabledAiConfig(serviceDb(), session.organization.id)
  if (!config) return inPieces ? eventStream(async (send) => send('done', NOT_CONFIGURED)) : NOT_CONFIGURED

  const context = await readContext(session, { now })
  const opening = { messages: openingMessages(context, message), tools: toolsFor(session).map(declarationOf) }
  const asker = { session, now }
  const first = await takeQuestion(asker, estimateOf(opening, config.maxTokens))
  const left = new AbortController()
  const signal = AbortSignal.any([request.signal, left.signal, AbortSignal.timeout(env().AI_BUDGET_MS)])
  const ask = counted(modelOf(config, signal), asker, first, config.maxTokens)
  const reply = (onDelta?: (content: string) => void) =>
    converse({ session, context, ask, onDelta, now }, message).catch((error: unknown) =>
      failed(error, requestId),
    )
  if (!inPieces) {
    const answer = await reply()
    if (!('error' in answer)) return answer
    const headers = { 'Content-Type': 'application/json' }
    return new Response(JSON.stringify(answer), { status: 500, headers })
  }
  return eventStream(
    async (send) => {
      const answer = await reply((content) => send('delta', { content }))
      send('error' in answer ? 'error' : 'done', answer)
    },
    () => left.abort(),
  )
}

/** Only what the provider said, masked, is for the user; anything else is logged and stays here. */
function failed(error: unknown, requestId: string) {
  if (error instanceof ProviderError) {
    log().warn({ requestId, status: error.status, reason: error.message }, 'the language model failed')
    return failureOf(error.message)
  }
  log().error({ requestId, err: error }, 'the assistant failed')
  return failureOf('Unexpected error')
}
