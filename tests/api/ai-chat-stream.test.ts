import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import { connectAi } from '../support/ai-group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { eventsOf } from '../support/events'
import { answer, signedIn } from '../support/sign-in'

const CHAT = '/api/ai/chat'
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const body = { message: 'Hola' }
const headers = { accept: 'text/event-stream' }

let app: TestApp
let provider: OpenAiFake
let group: Group
let client: Client

beforeAll(async () => {
  provider = await startOpenAi()
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Corriente', [{ name: 'Norte', slug: 'norte' }])
  client = await signedIn(await group.person('operaciones'))
  await connectAi(app.stack, group, { base_url: provider.url })
})
afterEach(async () => {
  provider.reset()
  await app.stack.sql(emptyTables('rate_limits'))
})
afterAll(async () => {
  await provider?.close()
  await app?.close()
})

const stream = (init = {}) => client.request('POST', CHAT, { body, headers, ...init })

it('a reply comes in pieces, and whole at the end', async () => {
  provider.say({ content: 'Hoy hay «24» reservas.\n\n- Una\n' })
  const response = await stream()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const content = 'Hoy hay «24» reservas.\n\n- Una\n'
  expect(eventsOf(await response.text())).toEqual([
    ...['Hoy ', 'hay ', '«24» ', 'reservas.\n\n', '- ', 'Una\n'].map((piece) => ({
      event: 'delta',
      data: { content: piece },
    })),
    { event: 'done', data: { success: true, content, usage: USAGE } },
  ])
  expect(JSON.parse(provider.received[0]?.body ?? '')).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  })
})

it('is JSON for those who do not ask for pieces', async () => {
  const whole = await client.request('POST', CHAT, { body, headers: { accept: '*/*' } })
  expect((await answer(whole)).body).toEqual({ success: true, content: 'Todo en orden.', usage: USAGE })
  expect(JSON.parse(provider.received[0]?.body ?? '')).not.toHaveProperty('stream')
})

it('what comes before and after a look-up adds up to the reply', async () => {
  provider.say(
    {
      content: 'Lo miro.',
      calls: [
        { id: 'c1', name: 'find_customers', arguments: '{"search":"ana"}' },
        { id: 'c2', name: 'inactive_regulars', arguments: '{"days":90}' },
      ],
    },
    { content: 'Nada nuevo.' },
  )
  const events = eventsOf(await (await stream()).text())
  const pieces = events.filter(({ event }) => event === 'delta').map(({ data }) => data.content)
  expect(pieces.join('')).toBe('Lo miro.\n\nNada nuevo.')
  expect(events.at(-1)).toEqual({
    event: 'done',
    data: {
      success: true,
      content: 'Lo miro.\n\nNada nuevo.',
      usage: { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 },
    },
  })
  const { messages } = JSON.parse(provider.received[1]?.body ?? '')
  expect(messages.slice(-3)).toEqual([
    {
      role: 'assistant',
      content: 'Lo miro.',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'find_customers', arguments: '{"search":"ana"}' },
        },
        { id: 'c2', type: 'function', function: { name: 'inactive_regulars', arguments: '{"days":90}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('"rows": []') },
    { role: 'tool', tool_call_id: 'c2', content: expect.stringContaining('"rows": []') },
  ])
})

it('bad input is plain JSON', async () => {
  expect(await answer(await stream({ body: {} }))).toEqual({
    status: 400,
    body: { error: 'Mensaje requerido' },
  })
})

it('without a configured provider there is one event', async () => {
  await connectAi(app.stack, group, { base_url: provider.url }, { isEnabled: false })
  expect(eventsOf(await (await stream()).text())).toEqual([
    {
      event: 'done',
      data: { success: false, content: expect.stringContaining('Configuración'), fallback: true },
    },
  ])
  await connectAi(app.stack, group, { base_url: provider.url })
})

it('the first piece is there while the model is still writing', async () => {
  provider.setFault({ kind: 'slow' })
  const reader = (await stream()).body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(eventsOf(first)).toEqual([{ event: 'delta', data: { content: 'Todo ' } }])
  provider.proceed()
  let rest = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    rest += new TextDecoder().decode(part.value)
  expect(eventsOf(rest).at(-1)?.event).toBe('done')
})

it('a reader who leaves stops the model', async () => {
  provider.setFault({ kind: 'slow' })
  const reader = (await stream()).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(await provider.received[0]?.left).toBe(true)
})

it('so does a client who hangs up, in pieces or not', async () => {
  for (const [index, accept] of ['text/event-stream', 'application/json'].entries()) {
    provider.setFault({ kind: 'hang' })
    const leaving = new AbortController()
    const arrived = provider.next()
    const asked = stream({ headers: { accept }, signal: leaving.signal })
    await arrived
    leaving.abort()
    expect(await provider.received[index]?.left).toBe(true)
    await (await asked).text()
  }
  expect(provider.received).toHaveLength(2)
})
