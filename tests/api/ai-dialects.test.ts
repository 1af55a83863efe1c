import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import type { Dialect } from '../fakes/openai/dialect'
import { startOpenAi } from '../fakes/openai/server'
import { connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { eventsOf } from '../support/events'
import { signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let client: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Dialectos', [{ name: 'Norte', slug: 'norte' }])
  await app.stack.sql(
    `insert into public.customers (organization_id, first_name, last_name, email)
     values ($1, 'Ana', 'Peña', 'ana@example.com'), ($1, 'Luis', 'Soto', 'luis@example.com')`,
    [group.id],
  )
  client = await signedIn(await group.person('ceo'))
})
afterEach(() => app.stack.sql(emptyTables('rate_limits', 'integration_configs')))
afterAll(() => app?.close())

const CALLS = [
  { id: 'c1', name: 'find_customers', arguments: '{"search":"ana"}' },
  // The same tool again, and one with nothing to say.
  { id: 'c2', name: 'find_customers', arguments: '{"search":"luis"}' },
  { id: 'c3', name: 'recent_feedback', arguments: '{}' },
]
const BEFORE = 'Lo miro:\n'
const AFTER = 'Están «Ana Peña» y Luis Soto. ¿Algo más?'
const CONTENT = `${BEFORE}\n\n${AFTER}`
const TWICE = { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 }
const NONE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

const DIALECTS: [string, Dialect][] = [
  ['OpenAI', {}],
  ['usage left out', { usage: 'absent' }],
  ['usage with every piece', { usage: 'every' }],
  ['usage with the last piece only', { usage: 'last' }],
  ['usage in a piece of its own, and left out before', { usage: 'end' }],
  ['whole calls', { wholeCalls: true }],
  ['whole calls, all of one index', { wholeCalls: true, index: 'zero' }],
  ['whole calls, all of one index and without ids', { wholeCalls: true, index: 'zero', ids: 'none' }],
  ['whole calls without index', { wholeCalls: true, index: 'none' }],
  ['whole calls without index and ids', { wholeCalls: true, index: 'none', ids: 'none' }],
  ['whole calls with objects as arguments', { wholeCalls: true, objects: true }],
  ['an index in the first piece of a call only', { index: 'first' }],
  ['no index', { index: 'none' }],
  ['one index for all calls', { index: 'zero' }],
  ['ids in every piece', { ids: 'every' }],
  ['ids in every piece, and no index', { ids: 'every', index: 'none' }],
  ['another id in each piece', { ids: 'another' }],
  ['no ids', { ids: 'none' }],
  ['no ids, no index', { ids: 'none', index: 'none' }],
  ['names in every piece', { names: 'every' }],
  ['names in every piece, no ids, no index', { names: 'every', ids: 'none', index: 'none' }],
  ['no reason to finish', { noFinish: true }],
  ['no [DONE]', { noDone: true }],
  ['no stream', { noStream: true }],
  ['no stream, no usage, no ids', { noStream: true, usage: 'absent', ids: 'none', noFinish: true }],
  ['a stream whatever was asked', { alwaysStream: true }],
  ['CRLF', { lineEnd: '\r\n' }],
  ['CR', { lineEnd: '\r' }],
  ['comments that keep the connection', { comments: true }],
  ['no empty line at the end', { noLastLine: true }],
  ['no empty line at the end, no [DONE]', { noLastLine: true, noDone: true }],
  ['a stream that is called JSON', { type: 'application/json' }],
  ['a stream that is called text', { type: 'text/plain' }],
  [
    'much at once',
    { ...{ usage: 'absent', index: 'none', ids: 'none', noFinish: true }, comments: true, lineEnd: '\r\n' },
  ],
]

it.each(DIALECTS)('the assistant looks up and answers with %s', async (_, dialect) => {
  const provider = await startOpenAi(dialect)
  try {
    await connectAi(app.stack, group, { base_url: provider.url })
    for (const accept of ['text/event-stream', 'application/json']) {
      provider.reset()
      provider.say({ content: BEFORE, calls: CALLS }, { content: AFTER })
      const init = { body: { message: 'Hola' }, headers: { accept } }
      const response = await client.request('POST', '/api/ai/chat', init)
      expect(response.status).toBe(200)
      const events = accept === 'text/event-stream' ? eventsOf(await response.text()) : []
      const answer = events.length > 0 ? events.at(-1)?.data : await response.json()
      expect(answer).toMatchObject({ success: true, content: CONTENT })
      expect(answer.usage).toEqual(dialect.usage === 'absent' ? NONE : TWICE)
      expect(answer.sources.map(({ label }: { label: string }) => label)).toEqual(['Ana Peña', 'Luis Soto'])
      if (events.length > 0) {
        const pieces = events.filter(({ event }) => event === 'delta').map(({ data }) => data.content)
        expect(pieces.join('')).toBe(CONTENT)
      }

      const { messages } = JSON.parse(provider.received[1]?.body ?? '')
      const [asked, ...results] = messages.slice(-1 - CALLS.length)
      expect(asked.tool_calls).toEqual(
        CALLS.map(({ name, arguments: text }) => ({
          ...{ id: expect.any(String), type: 'function' },
          function: { name, arguments: text },
        })),
      )
      // Each result names its call.
      const ids = asked.tool_calls.map(({ id }: { id: string }) => id)
      expect(new Set(ids).size).toBe(CALLS.length)
      expect(results.map((result: { tool_call_id: string }) => result.tool_call_id)).toEqual(ids)
      if (dialect.ids !== 'none') expect(ids).toEqual(['c1', 'c2', 'c3'])
      const texts = results.map(({ content }: { content: string }) => content)
      expect(texts).toEqual([
        ...[expect.stringContaining('Ana'), expect.stringContaining('Luis'), expect.stringContaining('rows')],
      ])
    }
  } finally {
    await provider.close()
  }
})

it('a failure within a stream of status 200 is told in the provider’s words', async () => {
  const provider = await startOpenAi()
  const body = 'data: {"error":{"message":"The model is overloaded"}}\n\n'
  for (const type of ['text/event-stream', 'application/json']) {
    provider.setFault({ kind: 'garbage', body, type })
    await connectAi(app.stack, group, { base_url: provider.url })
    const init = { body: { message: 'Hola' }, headers: { accept: 'text/event-stream' } }
    const events = eventsOf(await (await client.request('POST', '/api/ai/chat', init)).text())
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { detail: 'The model is overloaded' } })
  }
  await provider.close()
})
