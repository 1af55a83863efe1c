import { normalizeText } from '@/lib/search'

const STOP = new Set(['stop', 'baja', 'alto', 'unsubscribe'])
const START = new Set(['alta', 'start', 'unstop'])
// What guests write about a table. Twilio can count such words among its own; if it does block a number for one,
// the next message to it fails as `unsubscribed`, and that suppresses it.
const ABOUT_A_TABLE = /^(cancel|anul)|^(yes|si|ok|vale)$/

/**
 * Whether a message that came in asks for no more messages, or for messages again; null when it is about something
 * else. A word counts when it is alone in the message. `optOutType` is what Twilio itself understood.
 */
export function wishOf(body: string, optOutType?: string): 'stop' | 'start' | null {
  const word = onlyWord(body)
  if (STOP.has(word)) return 'stop'
  if (START.has(word)) return 'start'
  if (ABOUT_A_TABLE.test(word)) return null
  if (optOutType === 'STOP') return 'stop'
  return optOutType === 'START' ? 'start' : null
}

/** The one word of a message, without punctuation and emoji around it; the empty string when there are more. */
function onlyWord(body: string): string {
  const words = normalizeText(body.normalize('NFKC'))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  return words.length === 1 ? (words[0] ?? '') : ''
}
