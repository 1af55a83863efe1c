import type { Reply } from './types'
import { chunks, completion } from './wire'

/** Where a stream has its usage. OpenAI has null in each event, and then (`end`, too) an event without choices. */
type UsageAt = 'null' | 'absent' | 'every' | 'last' | 'end'

/** How a server's answers differ from OpenAI's. */
export interface Dialect {
  usage?: UsageAt
  /** Calls come whole, not in two halves. */
  wholeCalls?: true
  /** What the pieces of calls have; of ids and names `first`: only the first piece. */
  index?: 'every' | 'first' | 'none' | 'zero'
  ids?: 'first' | 'every' | 'none' | 'another'
  names?: 'first' | 'every'
  /** Arguments are objects, where calls come whole. */
  objects?: true
  noFinish?: true
  noDone?: true
  /** JSON to a streaming request. */
  noStream?: true
  /** A stream to every request. */
  alwaysStream?: true
  lineEnd?: '\r\n' | '\r'
  /** Comments between the events. */
  comments?: true
  /** No empty line after the last event. */
  noLastLine?: true
  /** What the server calls its stream. */
  type?: string
}

type Value = Record<string, unknown>

/** The events of a stream in this dialect, as they are sent. */
export function eventsIn(model: string, reply: Reply, dialect: Dialect): string[] {
  const events = chunks(model, reply).map((event) => event.slice('data: '.length).trim())
  const done = events.pop() ?? ''
  const values = events.map((event) => JSON.parse(event) as Value)
  const { usage } = values.pop() ?? {}
  const spoken = values.flatMap((value) => withCalls(value, reply, dialect))
  const told = spoken.map((value, index) => withUsage(value, usage, dialect, index === spoken.length - 1))
  const at = dialect.usage ?? 'null'
  if (at === 'null' || at === 'end') told.push({ ...values[0], choices: [], usage })
  const texts = [...told.map((value) => JSON.stringify(value)), ...(dialect.noDone ? [] : [done])]
  const end = dialect.lineEnd ?? '\n'
  return texts.map((text, index) => {
    const isLast = index === texts.length - 1
    const comment = dialect.comments ? `: PROCESSING${end}${end}:${end}` : ''
    // Some write no space after the colon.
    const line = `data:${dialect.comments ? '' : ' '}${text}`
    return `${comment}${line}${isLast && dialect.noLastLine ? '' : end + end}`
  })
}

/** The JSON answer in this dialect. */
export function answerIn(model: string, reply: Reply, dialect: Dialect): object {
  const answer = completion(model, reply) as Value & { choices: Value[] }
  const message = answer.choices[0]?.message as Value
  const calls = message.tool_calls as Value[] | undefined
  if (calls && dialect.ids === 'none')
    message.tool_calls = calls.map(({ id: _, ...call }, index) => ({ ...call, index }))
  if (dialect.noFinish) for (const choice of answer.choices) delete choice.finish_reason
  if (dialect.usage === 'absent') delete answer.usage
  return answer
}

function withUsage(value: Value, usage: unknown, { usage: at = 'null' }: Dialect, isLast: boolean): Value {
  const { usage: _, ...rest } = value
  if (at === 'every' || (at === 'last' && isLast)) return { ...rest, usage }
  return at === 'null' ? { ...rest, usage: null } : rest
}

/** The event with the calls, and the end, as the dialect has them. */
function withCalls(value: Value, reply: Reply, dialect: Dialect): Value[] {
  const [choice] = value.choices as [{ delta: { tool_calls?: Value[] }; finish_reason: string | null }]
  if (choice.finish_reason !== null && dialect.noFinish) {
    const { finish_reason: _, ...rest } = choice
    return [{ ...value, choices: [rest] }]
  }
  const [part] = choice.delta.tool_calls ?? []
  if (!part) return [value]
  const number = part.index as number
  const call = reply.calls?.[number]
  const asked = part.function as { name?: string; arguments: string }
  const isFirst = part.id !== undefined
  if (dialect.wholeCalls && !isFirst) return []
  const { ids = 'first', names = 'first', index = 'every' } = dialect
  const text = dialect.wholeCalls ? (call?.arguments ?? '') : asked.arguments
  const id = ids === 'another' && !isFirst ? `${call?.id}-again` : call?.id
  const piece = {
    ...(index === 'every' || (index === 'first' && isFirst) ? { index: number } : {}),
    ...(index === 'zero' ? { index: 0 } : {}),
    ...(ids === 'none' || (ids === 'first' && !isFirst) ? {} : { id }),
    type: 'function',
    function: {
      ...(names === 'every' || isFirst ? { name: call?.name } : {}),
      arguments: dialect.objects ? JSON.parse(text) : text,
    },
  }
  return [{ ...value, choices: [{ ...choice, delta: { tool_calls: [piece] } }] }]
}
