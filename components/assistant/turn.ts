import { HISTORY_LENGTH, MAX_TEXT } from '@/lib/assistant/limits'
import type { Chat, Source } from '@/lib/assistant/schema'

/** Why a question has no answer. `detail` is the provider's own words, `seconds` how long to wait, `until` when it is over (ISO). */
export interface Failure {
  reason: 'tooMany' | 'today' | 'provider' | 'network' | 'server' | 'refused'
  detail?: string
  seconds?: number
  until?: string
}

/** What the assistant said, and how that ended. */
export interface Reply {
  text: string
  sources: Source[]
  state: 'done' | 'stopped' | 'failed'
  failure?: Failure
}

/** A question and its answer; without one while it is being written. */
export interface Turn {
  id: string
  question: string
  reply?: Reply
}

/** The end of a conversation as the API takes it: what failed or was never answered is no part of it. */
export function historyOf(turns: readonly Turn[]): Chat['history'] {
  const answered = turns.filter(({ reply }) => reply && reply.state !== 'failed' && reply.text)
  const messages = answered.flatMap(({ question, reply }) => [
    { role: 'user' as const, content: question },
    { role: 'assistant' as const, content: sendable(reply?.text ?? '') },
  ])
  return messages.slice(-HISTORY_LENGTH)
}

/** A text the API takes: within its limit, without what cannot be stored. */
export function sendable(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed()
}
