import type { Turn } from './turn'

const PREFIX = 'sobremesa.chat.'
const MOST_TURNS = 50
let closed = false

/** What a person asked and typed in this tab, as it was left. */
export interface Conversation {
  turns: Turn[]
  draft: string
}

/** Reads a person's conversation; what others left in this tab is deleted. */
export function loadConversation(userId: string): Conversation {
  try {
    forget((name) => !name.startsWith(PREFIX + userId))
    const found: unknown = JSON.parse(sessionStorage.getItem(PREFIX + userId) ?? '[]')
    const turns = Array.isArray(found) ? found.filter(isTurn).map(ended) : []
    return { turns, draft: sessionStorage.getItem(`${PREFIX}${userId}.draft`) ?? '' }
  } catch {
    return { turns: [], draft: '' }
  }
}

/** Keeps the turns of a conversation, the last fifty. */
export function saveTurns(userId: string, turns: readonly Turn[]): void {
  save(PREFIX + userId, turns.length > 0 ? JSON.stringify(turns.slice(-MOST_TURNS)) : '')
}

/** Keeps what is typed and not sent. */
export function saveDraft(userId: string, draft: string): void {
  save(`${PREFIX}${userId}.draft`, draft)
}

/** Deletes every conversation of this tab; until the page is loaded anew none is kept. */
export function closeConversations(): void {
  closed = true
  try {
    forget(() => true)
  } catch {
    // No storage, nothing in it.
  }
}

function save(name: string, text: string): void {
  // An answer that is cut off by signing out must not come back.
  if (closed) return
  try {
    if (text) sessionStorage.setItem(name, text)
    else sessionStorage.removeItem(name)
  } catch {
    // Full or forbidden: the conversation lives as long as the page.
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

/** A page that was closed in the middle of an answer stopped it. */
function ended(turn: Turn): Turn {
  return turn.reply ? turn : { ...turn, reply: { text: '', sources: [], state: 'stopped' } }
}
