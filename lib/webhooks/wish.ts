import { asksForNoMore } from '@/lib/replies/opt-out'
import { fold } from '@/lib/text/fold'

const START = new Set(['alta', 'start', 'unstop'])
// Words that guests use about a table. Twilio may treat such a word as an opt-out and block the number; the next
// message to it then fails as `unsubscribed`, which suppresses it.
const ABOUT_A_TABLE = /^(cancel|anul)|^(yes|si|ok|vale)$/

/**
 * Whether an inbound message opts out, in words of nine languages, or in again, by one word alone; null for other
 * messages. `optOutType` is Twilio's own interpretation.
 */
export function wishOf(body: string, optOutType?: string): 'stop' | 'start' | null {
  if (asksForNoMore(body)) return 'stop'
  const word = onlyWord(body)
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
