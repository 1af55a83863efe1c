import 'server-only'
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as Completion } from 'openai/resources/chat/completions'
import { env } from '@/lib/env'
import type { AiConfig } from '@/lib/integrations/services/ai'
import { outgoingFetch } from '@/lib/outgoing/fetch'
import { partsOf } from './answer-parts'
import { checkedBaseUrl, ProviderError, providerError } from './provider-error'
import { addEvent, NO_USAGE, namedCalls, type OpenTurn, type Turn, wholeTurn } from './turn'

/** Calls the model once. With `onDelta` the text is streamed as well. */
export type AskModel = (
  params: Pick<Completion, 'messages' | 'tools'>,
  onDelta?: (content: string) => void,
) => Promise<Turn>

const STREAMED = { stream: true, stream_options: { include_usage: true } } as const

// Enough for the longest reply the settings allow (32,000 tokens) with each token in an event of its own.
const fetchModel = outgoingFetch(32 * 1024 * 1024)

/**
 * The organization's model. The SDK waits AI_TIMEOUT_MS for a response and tries once more; `signal` ends all calls.
 * @throws ProviderError from the call.
 */
export function modelOf(config: AiConfig, signal: AbortSignal): AskModel {
  const { AI_TIMEOUT_MS, ALLOW_LOOPBACK_UPSTREAMS } = env()
  return async (params, onDelta) => {
    const client = new OpenAI({
      apiKey: config.apiKey,
      baseURL: checkedBaseUrl(config.baseUrl, ALLOW_LOOPBACK_UPSTREAMS),
      timeout: AI_TIMEOUT_MS,
      maxRetries: 1,
      fetch: fetchModel,
      // Ignore the environment variables of the SDK: each organization has its own account.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
    })
    const { model, temperature, maxTokens: max_tokens } = config
    const body = { model, temperature, max_tokens, ...params }
    try {
      return await answerTo(client, body, signal, onDelta)
    } catch (error) {
      throw providerError(signal.aborted ? new OpenAI.APIUserAbortError() : error, config.apiKey)
    }
  }
}

/** What a server answers decides how it is read: some do not stream, or always do, whatever was asked. */
async function answerTo(
  client: OpenAI,
  body: Completion,
  signal: AbortSignal,
  onDelta?: (content: string) => void,
): Promise<Turn> {
  const asked = onDelta ? ({ ...body, ...STREAMED } as const) : body
  const response = await client.chat.completions.create(asked, { signal }).asResponse()
  const turn: OpenTurn = { content: '', calls: [], usage: NO_USAGE, isFinished: false }
  for await (const part of partsOf(response)) {
    if (part === 'end') {
      turn.isFinished = true
      break
    }
    if ('whole' in part) {
      const whole = wholeTurn(answered(part.whole))
      if (whole.content) onDelta?.(whole.content)
      return whole
    }
    const piece = addEvent(turn, answered(part.event))
    if (piece) onDelta?.(piece)
  }
  // A stream that was cut short may end in good order.
  if (!turn.isFinished)
    throw new ProviderError('La respuesta del proveedor llegó incompleta o no se entiende')
  return { content: turn.content, calls: namedCalls(turn.calls), usage: turn.usage }
}

/** The value itself. @throws APIError when it says that the model failed, which some servers send with status 200. */
function answered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('error' in value) || !value.error) return value
  throw new OpenAI.APIError(undefined, value.error, undefined, undefined)
}
