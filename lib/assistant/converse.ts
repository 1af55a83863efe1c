import 'server-only'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Session } from '@/lib/auth/session'
import { fold } from '@/lib/text/fold'
import type { AssistantContext } from './context'
import { openingMessages } from './prompt'
import type { AskModel } from './provider'
import { ProviderError } from './provider-error'
import type { Chat, ChatAnswer, Source, Usage } from './schema'
import { declarationOf, type Ledger, runCalls, toolsFor } from './tools/run-calls'
import type { Found } from './tools/tool'
import type { Turn } from './turn'

const MAX_ROUNDS = 5

/** What one reply needs. */
interface Conversation {
  session: Session
  context: AssistantContext
  ask: AskModel
  onDelta?: (content: string) => void
  now: Date
}

/**
 * Gets the model's reply. The model may use tools in at most five rounds; then it must reply. The pieces passed to
 * `onDelta` add up to the reply's content.
 * @throws ProviderError
 */
export async function converse(
  { session, context, ask, onDelta, now }: Conversation,
  chat: Chat,
): Promise<ChatAnswer> {
  const tools = toolsFor(session)
  const messages = openingMessages(context, chat)
  const ledger: Ledger = { rows: 0, found: [], made: new Set() }
  const usage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  let content = ''
  for (let round = 0; ; round++) {
    const offered = round < MAX_ROUNDS && tools.length > 0 ? { tools: tools.map(declarationOf) } : {}
    const turn = await ask({ messages, ...offered }, onDelta && spaced(content, onDelta))
    if (turn.content) content += content ? `\n\n${turn.content}` : turn.content
    for (const field of ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const)
      usage[field] += turn.usage[field]
    if (!offered.tools || turn.calls.length === 0) break
    messages.push(messageOf(turn), ...(await runCalls(turn.calls, tools, session, { ledger, now })))
  }
  if (content.trim() === '') throw new ProviderError('El proveedor devolvió una respuesta vacía')
  const sources = sourcesNamed(content, ledger.found)
  return { success: true, content, usage, ...(sources.length > 0 ? { sources } : {}) }
}

/** The text of a later round becomes a paragraph of its own. */
function spaced(before: string, onDelta: (content: string) => void) {
  let first = before !== ''
  return (piece: string) => {
    onDelta(first ? `\n\n${piece}` : piece)
    first = false
  }
}

const messageOf = ({ content, calls }: Turn): ChatCompletionMessageParam => ({
  role: 'assistant',
  content: content || null,
  tool_calls: calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  })),
})

const MAX_SOURCES = 50
const MIN_NAME = 2

/** The looked-up records that the reply names, ignoring case and accents; each once, 50 at most. */
export function sourcesNamed(content: string, found: readonly Found[]): Source[] {
  const text = fold(content)
  const sources = new Map<string, Source>()
  for (const { type, id, label, names } of found) {
    if (sources.size === MAX_SOURCES) break
    if (names.some((name) => isNamed(text, fold(name)))) sources.set(`${type} ${id}`, { type, id, label })
  }
  return [...sources.values()]
}

/** Matches whole words: «mañana» does not name «Ana». */
function isNamed(text: string, name: string): boolean {
  if (name.length < MIN_NAME) return false
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = [text[at - 1], text[at + name.length]]
    if (!around.some((character) => character !== undefined && /[\p{L}\p{N}]/u.test(character))) return true
  }
  return false
}
