import { HISTORY_LENGTH, MAX_TEXT } from '@/lib/assistant/limits'
import type { Chat, Source } from '@/lib/assistant/schema'

/** Why a question failed: with the provider's message (`detail`), the seconds to wait, or the end of the wait (ISO). */
export interface Failure {
  reason: 'tooMany' | 'today' | 'provider' | 'network' | 'server' | 'refused'
  detail?: string
  seconds?: number
  until?: string
}

/** The reply of the assistant, and how it ended. */
export interface Reply {
  text: string
  sources: Source[]
  state: 'done' | 'stopped' | 'failed'
  failure?: Failure
}

/** A question and its reply; without `reply` while it is being written. */
export interface Turn {
  id: string
  question: string
  reply?: Reply
}

/** Returns the last turns of a conversation as the API expects them, without failed and unanswered questions. */
export function historyOf(turns: readonly Turn[]): Chat['history'] {
  const answered = turns.filter(({ reply }) => reply && reply.state !== 'failed' && reply.text)
  const messages = answered.flatMap(({ question, reply }) => [
    { role: 'user' as const, content: question },
    { role: 'assistant' as const, content: sendable(reply?.text ?? '') },
  ])
  return messages.slice(-HISTORY_LENGTH)
}

/** Returns the text as the API accepts it: cut to the limit, without characters that cannot be stored. */
export function sendable(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed()
}

const PREFIX = 'sobremesa.chat.'
const MAX_TURNS = 50
let closed = false

/** A person's conversation and unsent text in this tab. */
export interface Conversation {
  turns: Turn[]
  draft: string
}

/** Reads a person's conversation; those of other people in this tab are deleted. */
export function loadConversation(userId: string): Conversation {
  try {
    forget((name) => !name.startsWith(PREFIX + userId))
    const found: unknown = JSON.parse(sessionStorage.getItem(PREFIX + userId) ?? '[]')
    const turns = Array.isArray(found) ? found.filter(isTurn).map(stoppedIfOpen) : []
    return { turns, draft: sessionStorage.getItem(`${PREFIX}${userId}.draft`) ?? '' }
  } catch {
    return { turns: [], draft: '' }
  }
}

/** Stores the last fifty turns of a conversation. */
export function saveTurns(userId: string, turns: readonly Turn[]): void {
  save(PREFIX + userId, turns.length > 0 ? JSON.stringify(turns.slice(-MAX_TURNS)) : '')
}

/** Stores the unsent text. */
export function saveDraft(userId: string, draft: string): void {
  save(`${PREFIX}${userId}.draft`, draft)
}

/** Deletes every conversation of this tab, and stores none until the next page load. */
export function closeConversations(): void {
  closed = true
  try {
    forget(() => true)
  } catch {
    // Without storage there is nothing to delete.
  }
}

function save(name: string, text: string): void {
  // Signing out interrupts a reply, which must not be stored afterwards.
  if (closed) return
  try {
    if (text) sessionStorage.setItem(name, text)
    else sessionStorage.removeItem(name)
  } catch {
    // Storage is full or forbidden: the conversation lasts as long as the page.
  }
}

function forget(which: (name: string) => boolean): void {
  const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX))
  for (const name of names.filter(which)) sessionStorage.removeItem(name)
}

function isTurn(value: unknown): value is Turn {
  if (typeof value !== 'object' || value === null) return false
  const { id, question, reply } = value as Partial<Turn>
  const answered = reply === undefined || (typeof reply?.text === 'string' && Array.isArray(reply.sources))
  return typeof id === 'string' && typeof question === 'string' && answered
}

/** A reply that was still coming when the page was closed counts as stopped. */
function stoppedIfOpen(turn: Turn): Turn {
  return turn.reply ? turn : { ...turn, reply: { text: '', sources: [], state: 'stopped' } }
}
