import type { Reply } from './types'

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const HEAD = { id: 'chatcmpl-1', created: 1_790_000_000 }

const callsOf = ({ calls = [] }: Reply) =>
  calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))

/** The JSON answer of chat completions. */
export function completion(model: string, reply: Reply): object {
  const calls = callsOf(reply)
  return {
    ...HEAD,
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.content ?? null,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        logprobs: null,
      },
    ],
    usage: reply.usage ?? USAGE,
  }
}

/** The same as a stream's events: role, text word by word, calls in two halves, the end, usage, [DONE]. */
export function chunks(model: string, reply: Reply): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    model,
    choices: [{ index: 0, delta, finish_reason }],
    usage: null,
  })
  const calls = callsOf(reply)
  const halves = calls.flatMap(({ function: { name, arguments: text }, ...call }, index) => {
    const middle = Math.floor(text.length / 2)
    return [
      chunk({ tool_calls: [{ index, ...call, function: { name, arguments: text.slice(0, middle) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(middle) } }] }),
    ]
  })
  const words = (reply.content ?? '').match(/\S+\s*|\s+/g) ?? []
  const events = [
    chunk({ role: 'assistant', content: '' }),
    ...words.map((content) => chunk({ content })),
    ...halves,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...chunk({}), choices: [], usage: reply.usage ?? USAGE },
  ]
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n']
}

/** An error as OpenAI words it. */
export const problem = (message: string, code: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
})
