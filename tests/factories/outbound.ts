import type { OutboundMessage } from '@/lib/messaging/provider'

const NOON = new Date('2026-11-20T11:00:00Z')
let count = 0
const id = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
/** A message as the engine hands it to a provider. */
export function sms(more: Partial<OutboundMessage> = {}): OutboundMessage {
  const made = id()
  const usual = { channel: 'sms' as const, recipient: '+34600000001', content: { body: 'Hola, Ñoño & co' } }
  return { id: made, ...usual, idempotencyKey: `message-${made}`, ...more }
}
/** The same by e-mail. */
export function email(more: Partial<OutboundMessage> = {}): OutboundMessage {
  const content = { subject: 'Hola', body: 'Te esperamos.' }
  return sms({ channel: 'email', recipient: 'ana@example.com', content, ...more })
}

/** A clock that advances only when code waits. */
export function stillClock() {
  const waits: number[] = []
  let at = NOON.getTime()
  const now = () => new Date(at)
  const sleep = async (ms: number) => {
    waits.push(ms)
    at += ms
  }
  return { waits, clock: { now, sleep } }
}
