import 'server-only'
import { z } from 'zod'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { failed, type Question, works } from '../question'
import type { Service } from './service'
import { openSecret, readEnabled, trimmed } from './stored'

const DEFAULTS = { model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 1000 } as const
const OPENAI_URL = 'https://api.openai.com/v1'

/** How an organization reaches its language model. Never log or return `apiKey`. */
export interface AiConfig {
  /** Empty: there is none. */
  apiKey: string
  model: string
  temperature: number
  maxTokens: number
  /** As configured: check it before use. */
  baseUrl: string
}

const config = z.object({
  model: trimmed,
  temperature: z.number().nullish(),
  max_tokens: z.number().nullish(),
  base_url: trimmed,
})
const secrets = z.object({ api_key: z.string().nullish() })

/** The language model, with defaults filled in. */
export const ai: Service<AiConfig> = {
  type: 'ai',
  config,
  secrets,
  open: (row) => {
    const { model, temperature, max_tokens, base_url } = config.parse(row.config)
    const sealed = secrets.parse(row.secrets).api_key
    return {
      apiKey: sealed ? openSecret(row, 'api_key', sealed) : '',
      model: model ?? DEFAULTS.model,
      temperature: temperature ?? DEFAULTS.temperature,
      maxTokens: max_tokens ?? DEFAULTS.maxTokens,
      baseUrl: base_url ?? (env().OPENAI_BASE_URL || OPENAI_URL),
    }
  },
  questions: (config) => (config.apiKey === '' ? [] : [askModel(config)]),
}

/** The organization's enabled language model; null when there is none, or it has no key. */
export async function enabledAiConfig(db: Db, organizationId: string): Promise<AiConfig | null> {
  const [found] = await readEnabled(ai, db, organizationId)
  return found && found.apiKey !== '' ? found : null
}

const completion = z.object({ choices: z.array(z.unknown()).min(1) })
const modelError = z.object({ error: z.object({ code: z.string().nullish(), type: z.string().nullish() }) })

/** Requests one token from the model, like the assistant does, so it also finds a missing model and an empty account. */
function askModel({ baseUrl, apiKey, model }: AiConfig): Question {
  const messages = [{ role: 'user', content: '1' }]
  return {
    baseUrl,
    path: '/chat/completions',
    init: {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, max_tokens: 1 }),
    },
    judge: (status, body) => {
      if (status === 200) return completion.safeParse(body).success ? works : null
      const { code, type } = modelError.safeParse(body).data?.error ?? {}
      const isEmpty = code === 'insufficient_quota' || type === 'insufficient_quota' || status === 402
      return isEmpty ? failed('no_credit', 'the account has no credit') : null
    },
  }
}
