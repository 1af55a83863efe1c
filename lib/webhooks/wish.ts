import { fold } from '@/lib/text/fold'

const STOP = new Set(['stop', 'baja', 'alto', 'unsubscribe'])
const START = new Set(['alta', 'start', 'unstop'])
// Words that guests use about a table. Twilio may treat such a word as an opt-out and block the number; the next
// message to it then fails as `unsubscribed`, which suppresses it.
const ABOUT_A_TABLE = /^(cancel|anul)|^(yes|si|ok|vale)$/

/**
 * Whether an inbound message opts out or in again; null for other messages. A word counts only when it is the whole
 * message. `optOutType` is Twilio's own interpretation.
 */
export function wishOf(body: string, optOutType?: string): 'stop' | 'start' | null {
  const word = onlyWord(body)
  if (STOP.has(word)) return 'stop'
  if (START.has(word)) return 'start'
  if (ABOUT_A_TABLE.test(word)) return null
  if (optOutType === 'STOP') return 'stop'
  return optOutType === 'START' ? 'start' : null
}

/** The one word of a message, without punctuation and emoji around it; an empty text when there are more. */
function onlyWord(body: string): string {
  const words = fold(body)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  return words.length === 1 ? (words[0] ?? '') : ''
}
