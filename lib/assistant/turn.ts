import { z } from 'zod'
import type { Usage } from './schema'

/** A tool call that the model requests; `arguments` is the JSON text it wrote. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

/** One response of the model: text, tool calls, or both. */
export interface Turn {
  content: string
  calls: ToolCall[]
  usage: Usage
}

export const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
const count = z.int().nonnegative().catch(0)
/** Servers leave it out, send null, or send it with each event. */
const usage = z
  .object({ prompt_tokens: count, completion_tokens: count, total_tokens: count })
  .transform((used) => ({
    ...used,
    total_tokens: used.total_tokens || used.prompt_tokens + used.completion_tokens,
  }))
  .nullish()
  .catch(null)
/** Some servers send the object, not its text. */
const jsonText = z.union([z.string(), z.looseObject({}).transform((value) => JSON.stringify(value))])
const partSchema = z.object({
  index: z.int().min(0).nullish().catch(null),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: jsonText.nullish() }).nullish(),
})
const messageSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(partSchema).max(100).nullish(),
})
const answerSchema = z.object({ choices: z.array(z.object({ message: messageSchema })).min(1), usage })
const eventSchema = z.object({
  choices: z
    .array(z.object({ finish_reason: z.string().nullish(), delta: messageSchema.nullish() }))
    .nullish(),
  usage,
})

const textOf = (message: z.infer<typeof messageSchema> | null | undefined): string =>
  message?.content || message?.refusal || ''

/** The turn in an answer that came as a whole. @throws ZodError when it is none. */
export function wholeTurn(answer: unknown): Turn {
  const { choices, usage: used } = answerSchema.parse(answer)
  const message = choices[0]?.message
  const calls = (message?.tool_calls ?? []).map((part) => withPart(undefined, part))
  return { content: textOf(message), calls: namedCalls(calls), usage: used ?? NO_USAGE }
}

/** What has come of a turn in pieces. */
export interface OpenTurn {
  content: string
  calls: OpenCall[]
  usage: Usage
  /** Whether the model has said that it is done. */
  isFinished: boolean
}

/** A tool call as far as it has come. */
export type OpenCall = ToolCall & { index: number | null }

/** Adds an event of a stream to a turn. Returns the text in it. @throws ZodError when it is none. */
export function addEvent(turn: OpenTurn, event: unknown): string {
  const { choices, usage: used } = eventSchema.parse(event)
  if (used && used.total_tokens > 0) turn.usage = used
  const choice = choices?.[0]
  if (choice?.finish_reason) turn.isFinished = true
  for (const part of choice?.delta?.tool_calls ?? []) addPart(turn.calls, part)
  const piece = textOf(choice?.delta)
  turn.content += piece
  return piece
}

type Part = z.infer<typeof partSchema>

function addPart(calls: OpenCall[], part: Part): void {
  const call = callOf(calls, part)
  const next = withPart(call, part)
  if (call) calls[calls.indexOf(call)] = next
  else calls.push(next)
}

const withPart = (call: OpenCall | undefined, { index = null, id, function: asked }: Part): OpenCall => ({
  index: call?.index ?? index,
  id: call?.id || (id ?? ''),
  name: call?.name || (asked?.name ?? ''),
  arguments: (call?.arguments ?? '') + (asked?.arguments ?? ''),
})

/**
 * The call that a part goes on with; undefined when it begins one. Servers leave out indices or ids after the first
 * part, repeat ids and names in each, or give whole calls the same index.
 */
function callOf(
  calls: readonly OpenCall[],
  { index = null, id, function: asked }: Part,
): OpenCall | undefined {
  const same = id ? calls.findLast((call) => call.id === id) : undefined
  if (same) return same
  const there = index === null ? undefined : calls.findLast((call) => call.index === index)
  if (!asked?.name) return there ?? calls.at(-1)
  // A name begins a call, unless it repeats that of one that goes on.
  const before = index === null ? calls.at(-1) : there
  if (!before || (id && before.id) || (before.name && before.name !== asked.name)) return undefined
  return isComplete(before.arguments) ? undefined : before
}

function isComplete(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The calls, each with an id of its own, which its result names. */
export function namedCalls(calls: readonly OpenCall[]): ToolCall[] {
  const taken = new Set<string>()
  return calls.map(({ id, name, arguments: text }, position) => {
    const own = id !== '' && !taken.has(id) ? id : `call_${position + 1}`
    taken.add(own)
    return { id: own, name, arguments: text }
  })
}
