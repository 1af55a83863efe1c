import { normalizeText } from '@/lib/search'

const STOP = new Set([
  'baja',
  'cancelar',
  'stop',
  'unsubscribe',
  // Twilio itself stops at these, whatever we do.
  'stopall',
  'cancel',
  'end',
  'quit',
  'revoke',
  'optout',
])
const START = new Set(['alta', 'start', 'unstop'])

/**
 * Whether a message that came in asks for no more messages, or for messages again; null when it is about something
 * else. `optOutType` is what Twilio itself understood.
 */
export function wishOf(body: string, optOutType?: string): 'stop' | 'start' | null {
  const word = normalizeText(body.slice(0, 100)).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (STOP.has(word) || optOutType === 'STOP') return 'stop'
  return START.has(word) || optOutType === 'START' ? 'start' : null
}
