import 'server-only'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { enabledAiConfig } from '@/lib/integrations/services/ai'
import { log } from '@/lib/log'
import { estimateOf, metered, takeQuestion } from './allowance'
import { modelOf } from './provider'
import { ProviderError } from './provider-error'

/**
 * One text from the organization's model, outside of a conversation and without tools. It counts as a question of
 * today's allowance.
 * @param signal ends the call, which otherwise ends after AI_BUDGET_MS
 * @throws HttpError 409 without a configured model, 429 when the allowance is used up, 502 when the model fails.
 */
export async function askOnce(
  session: Pick<Session, 'user_id' | 'organization'>,
  messages: ChatCompletionMessageParam[],
  { signal, now = new Date() }: { signal: AbortSignal; now?: Date },
): Promise<string> {
  const config = await enabledAiConfig(serviceDb(), session.organization.id)
  if (!config) throw new HttpError('NO_MODEL')
  const asker = { session, now }
  const first = await takeQuestion(asker, estimateOf({ messages }, config.maxTokens))
  const limited = AbortSignal.any([signal, AbortSignal.timeout(env().AI_BUDGET_MS)])
  const ask = metered(modelOf(config, limited), asker, first, config.maxTokens)
  try {
    const { content } = await ask({ messages })
    if (content.trim() === '') throw new ProviderError('The provider returned an empty text')
    return content.trim()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log().warn({ status: error.status, reason: error.message }, 'the language model failed')
    throw new HttpError('MODEL_UNAVAILABLE')
  }
}
