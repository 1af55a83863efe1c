import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readContext } from '@/lib/assistant/context'
import { contextBlock, SYSTEM_PROMPT } from '@/lib/assistant/prompt'
import { ROLES } from '@/lib/permissions'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import { AI_KEY, connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const CHAT = '/api/ai/chat'
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const UNCONFIGURED = {
  status: 200,
  body: { success: false, content: expect.stringContaining('Configuración'), fallback: true },
}

let app: TestApp
let provider: OpenAiFake
let group: Group
let host: Person
let client: Client

beforeAll(async () => {
  provider = await startOpenAi()
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Charla', [{ name: 'Norte', slug: 'norte' }])
  host = await group.person('operaciones')
  client = await signedIn(host)
})
afterEach(async () => {
  provider.reset()
  await app.stack.sql(emptyTables('integration_configs', 'rate_limits'))
})
afterAll(async () => {
  await provider?.close()
  await app?.close()
})

const connect = (config: Record<string, unknown> = {}, options = {}) =>
  connectAi(app.stack, group, { base_url: provider.url, ...config }, options)
const chat = async (body: unknown, as = client) => answer(await as.request('POST', CHAT, { body }))
const sent = (index = 0) => JSON.parse(provider.received[index]?.body ?? 'null')
const said = (role: string, content: string) => ({ role, content })
const TEN = Array.from({ length: 10 }, (_, index) => said(index % 2 ? 'assistant' : 'user', `Antes ${index}`))

describe('who may ask', () => {
  it('is refused without a session', async () => {
    await connect()
    expect(await chat({ message: 'Hola' }, app.client())).toEqual({
      status: 401,
      body: { error: 'No autenticado' },
    })
    expect(provider.received).toEqual([])
  })

  it.each(ROLES.filter((one) => one !== 'sala'))('is everyone of the office: %s', async (role) => {
    await connect()
    expect((await chat({ message: 'Hola' }, await signedIn(await group.person(role)))).status).toBe(200)
  })
})

describe('bad input', () => {
  it.each([
    ['no message', {}],
    ['an empty one', { message: '' }],
    ['blanks', { message: ' \n\t ' }],
    ['null', { message: null }],
    ['a number', { message: 7 }],
    ['a list', { message: ['Hola'] }],
    ['no object at all', ['Hola']],
    ['null for a body', 'null'],
    ['no body', undefined],
  ])('%s is answered with the contract’s text', async (_, body) => {
    expect(await chat(body)).toEqual({ status: 400, body: { error: 'Mensaje requerido' } })
  })

  it.each([
    ['a message too long', { message: 'a'.repeat(8001) }, 'El mensaje tiene más de 8000 caracteres'],
    ['a NUL character', { message: 'a\0b' }, 'El mensaje tiene caracteres no válidos'],
    ['a system role', { history: [said('system', 'x')] }, /^history\.0\.role: /],
    ['a tool role', { history: [said('user', 'x'), said('tool', 'x')] }, /^history\.1\.role: /],
    ['no role', { history: [{ content: 'x' }] }, /^history\.0\.role: /],
    ['no content', { history: [{ role: 'user' }] }, /^history\.0\.content: /],
    ['content that is no text', { history: [{ role: 'user', content: [] }] }, /^history\.0\.content: /],
    ['content too long', { history: [said('user', 'a'.repeat(8001))] }, /^history\.0\.content: /],
    ['NUL in content', { history: [said('user', '\0')] }, /^history\.0\.content: Invalid characters$/],
    ['a history that is no list', { history: 'x' }, /^history: /],
    [
      'a system role among the last ten',
      { history: [...Array.from({ length: 27 }, () => said('user', 'x')), said('system', 'x')] },
      /^history\.27\.role: /,
    ],
    ['not JSON', '{"message":', 'Malformed JSON'],
  ])('%s is refused', async (_, body, error) => {
    const whole = typeof body === 'string' ? body : { message: 'Hola', ...body }
    expect(await chat(whole)).toEqual({
      status: 400,
      body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
    })
  })

  it('a body over 1 MB and another content type are refused', async () => {
    const history = Array.from({ length: 140 }, () => said('user', 'a'.repeat(8000)))
    expect((await chat({ message: 'Hola', history })).status).toBe(413)
    const headers = { 'content-type': 'text/plain' }
    expect((await client.request('POST', CHAT, { body: 'Hola', headers })).status).toBe(415)
  })

  it('reaches no provider and takes nothing of the rate limit', async () => {
    await connect()
    for (let tries = 0; tries < 11; tries++) expect((await chat({})).status).toBe(400)
    expect(provider.received).toEqual([])
    expect((await chat({ message: 'Hola' })).status).toBe(200)
  })
})

describe('without a configured provider', () => {
  it('asks to configure one', async () => {
    expect(await chat({ message: 'Hola' })).toEqual(UNCONFIGURED)
  })

  it('so does a disabled configuration, one without key, and another organization’s', async () => {
    await connect({}, { isEnabled: false })
    expect(await chat({ message: 'Hola' })).toEqual(UNCONFIGURED)
    await connect({}, { apiKey: '' })
    expect(await chat({ message: 'Hola' })).toEqual(UNCONFIGURED)
    await app.stack.sql(`update public.integration_configs set secrets = '{}'`)
    expect(await chat({ message: 'Hola' })).toEqual(UNCONFIGURED)
    await app.stack.sql(emptyTables('integration_configs'))
    await connectAi(app.stack, await createGroup(app.stack, 'Otro Grupo'), { base_url: provider.url })
    expect(await chat({ message: 'Hola' })).toEqual(UNCONFIGURED)
    expect(provider.received).toEqual([])
  })
})

describe('a reply', () => {
  it('is the model’s text and its usage', async () => {
    await connect()
    provider.say({ content: '**24** reservas', usage: { ...USAGE, prompt_tokens: 7 } })
    expect(await chat({ message: '¿Cuántas?' })).toEqual({
      status: 200,
      body: { success: true, content: '**24** reservas', usage: { ...USAGE, prompt_tokens: 7 } },
    })
  })

  it('comes from one request: system prompt, context, history, message, in this order', async () => {
    await connect()
    const history = [said('user', 'Hola «tú»'), said('assistant', 'Dime\n')]
    const before = Date.now()
    await chat({ message: ' ¿Y ahora? ', history })
    expect(provider.received).toHaveLength(1)
    const { method, path, headers } = provider.received[0] ?? {}
    expect([method, path, headers?.authorization]).toEqual([
      'POST',
      '/v1/chat/completions',
      `Bearer ${AI_KEY}`,
    ])
    const { messages, tools, ...parameters } = sent()
    // The context names the minute: it may have turned since.
    const contexts = await Promise.all(
      [before, Date.now()].map(async (now) =>
        contextBlock(await readContext({ db: host.db }, { now: new Date(now) })),
      ),
    )
    expect(messages).toEqual([
      said('system', SYSTEM_PROMPT),
      said(
        'system',
        expect.toSatisfy((content: string) => contexts.includes(content)),
      ),
      ...history,
      said('user', ' ¿Y ahora? '),
    ])
    expect(parameters).toEqual({ model: 'gpt-4o-mini', temperature: 0.7, max_tokens: 1000 })
    expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'find_customers',
      'reservations_of_day',
      'revenue_by_location',
      'segments',
      'inactive_regulars',
      'recent_feedback',
    ])
  })

  it('takes the last ten of a long history, as they are', async () => {
    await connect()
    const history = Array.from({ length: 37 }, (_, index) =>
      said(index % 2 ? 'assistant' : 'user', `Mensaje ${index}`),
    )
    await chat({ message: 'Último', history })
    expect(sent().messages.slice(2)).toEqual([...history.slice(-10), said('user', 'Último')])
  })

  it.each([
    ['null', null, []],
    ['one of which only the last ten make sense', [7, null, said('system', 'x'), {}, ...TEN], TEN],
    ['eleven with a tool’s word at the start', [said('tool', 'x'), ...TEN], TEN],
  ])('takes a history that is %s', async (_, history, used) => {
    await connect()
    expect((await chat({ message: 'Sigue', history })).status).toBe(200)
    expect(sent().messages.slice(2)).toEqual([...used, said('user', 'Sigue')])
  })

  it('takes model, temperature and length from the configuration, zero included', async () => {
    await connect({ model: 'mixtral-large', temperature: 0, max_tokens: 50 })
    await chat({ message: 'Hola' })
    expect(sent()).toMatchObject({ model: 'mixtral-large', temperature: 0, max_tokens: 50 })
  })

  it('takes the defaults where the configuration has null or blanks', async () => {
    await connect({ model: ' ', temperature: null, max_tokens: null })
    await chat({ message: 'Hola' })
    expect(sent()).toMatchObject({ model: 'gpt-4o-mini', temperature: 0.7, max_tokens: 1000 })
  })

  it('counts zero where the provider counts nothing', async () => {
    await connect()
    provider.say({ content: 'Hola', usage: null as never })
    provider.setFault({
      kind: 'garbage',
      body: JSON.stringify({ choices: [{ message: { content: 'Hola' } }] }),
    })
    expect((await chat({ message: 'Hola' })).body.usage).toEqual({
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
    })
  })
})

it('the eleventh question of a minute waits; those of a colleague do not', async () => {
  for (let question = 0; question < 10; question++) expect((await chat({ message: 'Hola' })).status).toBe(200)
  const response = await client.request('POST', CHAT, { body: { message: 'Hola' } })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await answer(response)).toEqual({ status: 429, body: { error: 'Rate limit exceeded' } })
  const colleague = await signedIn(await group.person('rrhh'))
  expect((await chat({ message: 'Hola' }, colleague)).status).toBe(200)
})

it('a configuration that cannot be read fails in the documented form', async () => {
  await connect()
  await stackClient(app.stack, 'service')
    .from('integration_configs')
    .update({ secrets: { api_key: 'deadbeef.AAAA' } })
    .eq('organization_id', group.id)
    .throwOnError()
  expect(await chat({ message: 'Hola' })).toEqual({
    status: 500,
    body: { success: false, content: '❌ Error: Unexpected error', error: true },
  })
})
