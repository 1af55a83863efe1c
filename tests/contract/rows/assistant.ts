import { expect } from 'vitest'
import { startOpenAi } from '../../fakes/openai/server'
import type { Fault } from '../../fakes/openai/types'
import { connectAi } from '../../support/ai-group'
import { error, type Row, TEXT } from '../row'
import type { World } from '../world'
import { all, unlimited } from './arrange'
import { about } from './cases'

const CHAT = 'POST /api/ai/chat'
const HOLA = { message: 'Hola' }
const MISSING = 'Mensaje requerido'
const forget = ({ stack }: World) =>
  stack.sql(`delete from public.integration_configs where integration_type = 'ai'`)

/** The group's model: a local one, which fails as asked. */
export const model = (fault: Fault | null = null, isEnabled = true) =>
  all(unlimited, async (world) => {
    const provider = await startOpenAi()
    provider.setFault(fault)
    await connectAi(world.stack, world.group, { base_url: provider.url }, { isEnabled })
    return async () => {
      await forget(world)
      await provider.close()
    }
  })

const fallback = {
  success: false,
  content: expect.stringMatching(/config/i),
  fallback: true,
}

/** The assistant. */
export const assistantRows: Row[] = [
  {
    name: 'refuses a caller without a session',
    section: 'Errors: 401 ai/chat without session',
    as: 'visitor',
    request: { operation: CHAT, body: HOLA },
    answers: { status: 401, body: error('No autenticado') },
  },
  ...[
    { name: 'refuses a body without a message', body: {} },
    { name: 'refuses an empty message', body: { message: '' } },
    { name: 'refuses a blank message', body: { message: ' ' } },
    { name: 'refuses a message that is not text', body: { message: 5 } },
    { name: 'refuses a request without a body', body: undefined },
  ].map(
    ({ name, body }): Row => ({
      name,
      section: 'Errors: 400 ai/chat message missing',
      as: 'marketing',
      request: { operation: CHAT, body },
      arrange: unlimited,
      answers: { status: 400, body: error(MISSING) },
    }),
  ),
  {
    name: 'refuses a history with an unknown role',
    section: 'our own: history',
    as: 'marketing',
    request: { operation: CHAT, body: { ...HOLA, history: [{ role: 'system', content: 'x' }] } },
    arrange: unlimited,
    answers: { status: 400, body: about('history.0.role') },
  },
  {
    name: 'takes a null history as none',
    section: 'our own: chat history',
    as: 'rrhh',
    request: { operation: CHAT, body: { ...HOLA, history: null } },
    arrange: unlimited,
    answers: { status: 200, body: fallback },
  },
  {
    name: 'falls back when no provider is configured',
    section: 'POST /api/ai/chat',
    as: 'rrhh',
    request: { operation: CHAT, body: HOLA },
    arrange: unlimited,
    answers: { status: 200, body: fallback },
  },
  {
    name: 'falls back when the provider is disabled',
    section: 'POST /api/ai/chat',
    as: 'rrhh',
    request: { operation: CHAT, body: HOLA },
    arrange: model(null, false),
    answers: { status: 200, body: fallback },
  },
  {
    name: 'gives the answer of the provider',
    section: 'POST /api/ai/chat',
    as: 'rrhh',
    request: { operation: CHAT, body: { ...HOLA, history: [{ role: 'user', content: 'Buenas' }] } },
    arrange: model(),
    answers: {
      status: 200,
      body: {
        success: true,
        content: 'Todo en orden.',
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      },
    },
  },
  {
    name: 'streams the answer in pieces',
    section: 'POST /api/ai/chat',
    as: 'rrhh',
    request: { operation: CHAT, body: HOLA, headers: { accept: 'text/event-stream' } },
    arrange: model(),
    answers: { status: 200, headers: { 'content-type': 'text/event-stream' } },
  },
  {
    name: 'fails when the provider refuses the key',
    section: 'POST /api/ai/chat: provider failure',
    as: 'ceo',
    request: { operation: CHAT, body: HOLA },
    arrange: model({ kind: 'unauthorized', message: 'Incorrect API key provided.' }),
    answers: {
      status: 500,
      body: {
        success: false,
        content: '❌ Error: Incorrect API key provided.',
        error: true,
      },
    },
  },
  {
    name: 'fails when the provider’s answer is empty',
    section: 'POST /api/ai/chat: provider failure',
    as: 'ceo',
    request: { operation: CHAT, body: HOLA },
    arrange: model({ kind: 'garbage', body: '{"choices":[]}' }),
    answers: {
      status: 500,
      body: {
        success: false,
        content: expect.stringMatching(/^❌ Error: \S/),
        error: true,
      },
    },
  },
  {
    name: 'fails when the database does not answer',
    section: 'Errors: 500 database failure',
    as: 'ceo',
    request: { operation: CHAT, body: HOLA },
    databaseDown: true,
    answers: { status: 500, body: { success: false, content: TEXT, error: true } },
  },
]
