import 'server-only'
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as Completion } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { env } from '@/lib/env'
import type { AiConfig } from '@/lib/integrations/services/ai'
import { outgoingFetch } from '@/lib/outgoing/fetch'
import { checkedBaseUrl, ProviderError, providerError } from './provider-error'
import type { Usage } from './schema'

/** A tool call that the model requests; `arguments` is the JSON text it wrote. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

/** One response of the model: text, tool calls, or both. */
export interface Turn {
  content: string
  calls: ToolCall[]
  usage: Usage
}

/** Calls the model once. With `onDelta` the text is streamed as well. */
export type AskModel = (
  params: Pick<Completion, 'messages' | 'tools'>,
  onDelta?: (content: string) => void,
) => Promise<Turn>

const count = z.int().nonnegative().catch(0)
const usageSchema = z
  .object({ prompt_tokens: count, completion_tokens: count, total_tokens: count })
  .catch({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: usageSchema,
})

const partSchema = z.object({
  index: z.int().min(0).max(100).default(0),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z.array(partSchema).nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  usage: z.unknown(),
})

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
      return onDelta ? await streamed(client, body, signal, onDelta) : await completed(client, body, signal)
    } catch (error) {
      throw providerError(signal.aborted ? new OpenAI.APIUserAbortError() : error, config.apiKey)
    }
  }
}

async function completed(client: OpenAI, body: Completion, signal: AbortSignal): Promise<Turn> {
  const { choices, usage } = answerSchema.parse(await client.chat.completions.create(body, { signal }))
  const message = choices[0]?.message
  return {
    content: message?.content || message?.refusal || '',
    calls: (message?.tool_calls ?? []).map(({ id, function: asked }) => ({ id, ...asked })),
    usage,
  }
}

async function streamed(
  client: OpenAI,
  body: Completion,
  signal: AbortSignal,
  onDelta: (content: string) => void,
): Promise<Turn> {
  const options = { ...body, stream: true, stream_options: { include_usage: true } } as const
  const turn: Turn = { content: '', calls: [], usage: usageSchema.parse(undefined) }
  let finished = false
  for await (const received of await client.chat.completions.create(options, { signal })) {
    const { choices, usage } = chunkSchema.parse(received)
    if (usage) turn.usage = usageSchema.parse(usage)
    const [choice] = choices
    if (choice?.finish_reason) finished = true
    const piece = choice?.delta?.content || choice?.delta?.refusal || ''
    turn.content += piece
    if (piece) onDelta(piece)
    for (const part of choice?.delta?.tool_calls ?? []) addPart(turn.calls, part)
  }
  // A broken connection ends the SDK's iteration without an error.
  if (!finished) throw new ProviderError('La respuesta del proveedor llegó incompleta o no se entiende')
  turn.calls = turn.calls.filter(Boolean)
  return turn
}

function addPart(calls: ToolCall[], { index, id, function: asked }: z.infer<typeof partSchema>): void {
  calls[index] ??= { id: '', name: '', arguments: '' }
  const call = calls[index]
  call.id ||= id ?? ''
  call.name ||= asked?.name ?? ''
  call.arguments += asked?.arguments ?? ''
}
