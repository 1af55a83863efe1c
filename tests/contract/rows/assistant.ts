import { expect } from 'vitest'
import { startOpenAi } from '../../fakes/openai/server'
import type { Fault } from '../../fakes/openai/types'
import { connectAi } from '../../support/ai-group'
import { error, type Row, TEXT } from '../row'
import type { World } from '../world'
import { all, unlimited } from './arrange'
import { about, cases } from './cases'

const CHAT = 'POST /api/ai/chat'
const HOLA = { message: 'Hola' }
const MISSING = 'Mensaje requerido'
const forget = ({ stack }: World) =>
  stack.sql(`delete from public.integration_configs where integration_type = 'ai'`)

/** The group's model: a local one, which fails as asked. */
const model = (fault: Fault | null = null, isEnabled = true) =>
  all(unlimited, async (world) => {
    const provider = await startOpenAi()
    provider.setFault(fault)
    await connectAi(world.stack, world.group, { base_url: provider.url }, { isEnabled })
    return async () => {
      await forget(world)
      await provider.close()
    }
  })

const chat = cases('POST /api/ai/chat', 'rrhh')
const failed = cases('POST /api/ai/chat: provider failure', 'ceo')
const refused = cases('Errors: 400 ai/chat message missing', 'marketing')

const fallback = {
  success: false,
  content: expect.stringMatching(/config/i),
  fallback: true,
}

/** The assistant. */
export const assistantRows: Row[] = [
  chat('there is no session', CHAT, 401, error('No autenticado'), {
    section: 'Errors: 401 ai/chat without session',
    as: 'nobody',
    json: HOLA,
  }),
  ...[
    ['it is missing', {}],
    ['it is empty', { message: '' }],
    ['it is blank', { message: ' ' }],
    ['it is no text', { message: 5 }],
    ['there is no body', undefined],
  ].map(([when, json]) => refused(String(when), CHAT, 400, error(MISSING), { json, arrange: unlimited })),
  refused('a role of the history is neither user nor assistant', CHAT, 400, about('history.0.role'), {
    section: 'decisions §7: history',
    json: { ...HOLA, history: [{ role: 'system', content: 'x' }] },
    arrange: unlimited,
  }),
  chat('history is null, which is none', CHAT, 200, fallback, {
    section: 'decisions §9: chat history',
    json: { ...HOLA, history: null },
    arrange: unlimited,
  }),
  chat('no provider is configured', CHAT, 200, fallback, { json: HOLA, arrange: unlimited }),
  chat('the provider’s configuration is not enabled', CHAT, 200, fallback, {
    json: HOLA,
    arrange: model(null, false),
  }),
  chat(
    'the provider answers',
    CHAT,
    200,
    {
      success: true,
      content: 'Todo en orden.',
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    },
    { json: { ...HOLA, history: [{ role: 'user', content: 'Buenas' }] }, arrange: model() },
  ),
  chat('the answer is to come in pieces', CHAT, 200, undefined, {
    json: HOLA,
    sent: { accept: 'text/event-stream' },
    headers: { 'content-type': 'text/event-stream' },
    arrange: model(),
  }),
  failed(
    'the provider refuses the key',
    CHAT,
    500,
    {
      success: false,
      content: '❌ Error: Incorrect API key provided.',
      error: true,
    },
    { json: HOLA, arrange: model({ kind: 'unauthorized', message: 'Incorrect API key provided.' }) },
  ),
  failed(
    'the provider’s answer is none',
    CHAT,
    500,
    {
      success: false,
      content: expect.stringMatching(/^❌ Error: \S/),
      error: true,
    },
    { json: HOLA, arrange: model({ kind: 'garbage', body: '{"choices":[]}' }) },
  ),
  failed(
    'the database does not answer',
    CHAT,
    500,
    { success: false, content: TEXT, error: true },
    {
      section: 'Errors: 500 database failure',
      json: HOLA,
      databaseDown: true,
    },
  ),
]
