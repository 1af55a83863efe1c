import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import type { Fault } from '../fakes/openai/types'
import { AI_KEY, connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { eventsOf } from '../support/events'
import { signedIn } from '../support/sign-in'

const UNCLEAR = 'La respuesta del proveedor llegó incompleta o no se entiende'
const LATE = 'El proveedor no respondió a tiempo'

let app: TestApp
let provider: OpenAiFake
let group: Group
let client: Client
let logged: string[] = []

beforeAll(async () => {
  provider = await startOpenAi()
  app = await startApp({ AI_TIMEOUT_MS: '400', AI_BUDGET_MS: '3000', LOG_LEVEL: 'debug' })
  group = await createGroup(app.stack, 'Grupo Averías', [{ name: 'Norte', slug: 'norte' }])
  client = await signedIn(await group.person('operaciones'))
})
beforeEach(async () => {
  await connectAi(app.stack, group, { base_url: provider.url })
  logged = []
  const keep = (chunk: unknown) => {
    logged.push(String(chunk))
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  vi.spyOn(process.stderr, 'write').mockImplementation(keep)
})
afterEach(async () => {
  vi.restoreAllMocks()
  provider.reset()
  await app.stack.sql(emptyTables('integration_configs', 'rate_limits'))
})
afterAll(async () => {
  await provider?.close()
  await app?.close()
})

/** The failure of both forms of the answer, after looking for the key in them and in the log. */
async function failures(): Promise<string[]> {
  const body = { message: 'Hola' }
  const whole = await client.request('POST', '/api/ai/chat', { body })
  const text = await whole.text()
  const headers = { accept: 'text/event-stream' }
  const pieces = await client.request('POST', '/api/ai/chat', { body, headers })
  const events = await pieces.text()
  expect([whole.status, pieces.status]).toEqual([500, 200])
  expect(logged.join('')).toContain('the language model failed')
  for (const place of [text, events, logged.join('')])
    for (let start = 0; start + 6 <= AI_KEY.length; start++)
      expect(place).not.toContain(AI_KEY.slice(start, start + 6))
  const last = eventsOf(events).at(-1)
  expect(last?.event).toBe('error')
  return [JSON.parse(text), last?.data].map(({ success, error, content, ...rest }, streamed) => {
    const detail = content.slice('❌ Error: '.length)
    expect({ success, error, rest }).toEqual({
      success: false,
      error: true,
      rest: streamed ? { detail } : {},
    })
    return content
  })
}

const PARTIAL = `${AI_KEY.slice(0, 3)}...${AI_KEY.slice(-4)}`
const cases: [string, Fault, string][] = [
  [
    'a wrong key',
    { kind: 'unauthorized', message: 'Incorrect API key provided.' },
    'Incorrect API key provided.',
  ],
  [
    'a wrong key, echoed whole',
    { kind: 'unauthorized', message: 'Incorrect API key provided: {key}. See the docs.' },
    'Incorrect API key provided: [oculto]. See the docs.',
  ],
  [
    'a wrong key, echoed in part',
    { kind: 'unauthorized', message: `Incorrect API key provided: ${PARTIAL}` },
    'Incorrect API key provided: [oculto]',
  ],
  [
    'a wrong key, echoed with stars and in an address',
    {
      kind: 'unauthorized',
      message: `Bad key sk-test-******${AI_KEY.slice(-4)} at https://user:{key}@ai.example/v1?key={key}`,
    },
    'Bad key [oculto] at https://ai.example/v1',
  ],
  ['429', { kind: 'rate_limited', retryAfter: 0 }, 'Rate limit reached for requests'],
  ['429 with a wait past the budget', { kind: 'rate_limited', retryAfter: 50 }, LATE],
  ['500', { kind: 'server_error', message: 'The server had an error' }, 'The server had an error'],
  ['500 without a word', { kind: 'server_error' }, 'El proveedor respondió con 500'],
  ['a provider that hangs', { kind: 'hang' }, LATE],
  ['something that is no JSON', { kind: 'garbage', body: '<html>Bad gateway</html>' }, UNCLEAR],
  ['a page', { kind: 'garbage', body: '<html>Hi</html>', type: 'text/html' }, UNCLEAR],
  ['other JSON', { kind: 'garbage', body: '{"choices":[]}' }, UNCLEAR],
  ['nothing', { kind: 'garbage', body: '' }, UNCLEAR],
  ['a broken connection', { kind: 'cut' }, UNCLEAR],
]

it.each(cases)('%s is reported in the documented form', async (_, fault, message) => {
  provider.setFault(fault)
  expect(await failures()).toEqual([`❌ Error: ${message}`, `❌ Error: ${message}`])
})

it('a redirect is not followed: the conversation goes where it was configured', async () => {
  const elsewhere = await startOpenAi()
  provider.setFault({ kind: 'redirect', location: `${elsewhere.url}/chat/completions` })
  expect(await failures()).toEqual(Array(2).fill('❌ Error: No se pudo conectar con el proveedor'))
  expect(elsewhere.received).toEqual([])
  await elsewhere.close()
})

it('a request is sent twice at most', async () => {
  provider.setFault({ kind: 'server_error', message: 'Down' })
  await failures()
  expect(provider.received).toHaveLength(4)
})

it('an unreachable provider is reported', async () => {
  const gone = await startOpenAi()
  await gone.close()
  await connectAi(app.stack, group, { base_url: gone.url })
  expect(await failures()).toEqual(Array(2).fill('❌ Error: No se pudo conectar con el proveedor'))
})

it.each(['http://ai.example/v1', 'file:///etc/passwd', 'ai.example', 'http://169.254.169.254/'])(
  'an address that is not https (%s) is never called',
  async (base_url) => {
    await connectAi(app.stack, group, { base_url })
    const told = '❌ Error: La dirección del proveedor debe empezar por https://'
    expect(await failures()).toEqual([told, told])
  },
)

it('an empty reply is a failure', async () => {
  provider.say({ content: ' ' })
  const told = '❌ Error: El proveedor devolvió una respuesta vacía'
  expect(await failures()).toEqual([told, told])
})

it('a stream that ends before its last event is a failure, after the piece that came', async () => {
  provider.setFault({ kind: 'unfinished' })
  const headers = { accept: 'text/event-stream' }
  const body = { message: 'Hola' }
  const response = await client.request('POST', '/api/ai/chat', { body, headers })
  expect(eventsOf(await response.text())).toEqual([
    { event: 'delta', data: { content: 'Todo ' } },
    {
      event: 'error',
      data: { success: false, content: `❌ Error: ${UNCLEAR}`, error: true, detail: UNCLEAR },
    },
  ])
})

it('a context that cannot be read is an unexpected failure in the same form', async () => {
  await app.stack.sql('alter function public.assistant_context(timestamptz) rename to lost')
  try {
    for (const accept of ['application/json', 'text/event-stream']) {
      const body = { message: 'Hola' }
      const response = await client.request('POST', '/api/ai/chat', { body, headers: { accept } })
      expect([response.status, await response.json()]).toEqual([
        500,
        { success: false, content: expect.stringMatching(/^❌ Error: ./), error: true },
      ])
    }
    expect(provider.received).toEqual([])
  } finally {
    await app.stack.sql('alter function public.lost(timestamptz) rename to assistant_context')
  }
})
