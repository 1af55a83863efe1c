import 'server-only'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Session } from '@/lib/auth/session'
import type { AssistantContext } from './context'
import { openingMessages } from './prompt'
import type { AskModel, Turn } from './provider'
import { ProviderError } from './provider-error'
import type { Chat, ChatAnswer, Usage } from './schema'
import { sourcesNamed } from './sources'
import { declarationOf, toolsFor } from './tools'
import { type Ledger, runCalls } from './tools/run-calls'

const MAX_ROUNDS = 5

/** One reply in the making. */
interface Conversation {
  session: Session
  context: AssistantContext
  ask: AskModel
  onDelta?: (content: string) => void
  now: Date
}

/**
 * Gets the model's reply. It may look things up in at most five rounds; then it must answer. The pieces given
 * to `onDelta` add up to the reply's content.
 * @throws ProviderError
 */
export async function converse(
  { session, context, ask, onDelta, now }: Conversation,
  chat: Chat,
): Promise<ChatAnswer> {
  const tools = toolsFor(session)
  const messages = openingMessages(context, chat)
  const ledger: Ledger = { rows: 0, found: [] }
  const usage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  let content = ''
  for (let round = 0; ; round++) {
    const offered = round < MAX_ROUNDS && tools.length > 0 ? { tools: tools.map(declarationOf) } : {}
    const turn = await ask({ messages, ...offered }, onDelta && spaced(content, onDelta))
    if (turn.content) content += content ? `\n\n${turn.content}` : turn.content
    for (const field of ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const)
      usage[field] += turn.usage[field]
    if (!offered.tools || turn.calls.length === 0) break
    messages.push(asked(turn), ...(await runCalls(turn.calls, tools, session, { ledger, now })))
  }
  if (content.trim() === '') throw new ProviderError('El proveedor devolvió una respuesta vacía')
  const sources = sourcesNamed(content, ledger.found)
  return { success: true, content, usage, ...(sources.length > 0 ? { sources } : {}) }
}

/** Text of a later round is a paragraph of its own. */
function spaced(before: string, onDelta: (content: string) => void) {
  let first = before !== ''
  return (piece: string) => {
    onDelta(first ? `\n\n${piece}` : piece)
    first = false
  }
}

const asked = ({ content, calls }: Turn): ChatCompletionMessageParam => ({
  role: 'assistant',
  content: content || null,
  tool_calls: calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  })),
})
