import type { Channel } from '../../lib/messaging/schema'
import { oneOf, share } from './chance'

/** The outcome of a message. */
export interface Outcome {
  status: 'sent' | 'delivered' | 'failed' | 'skipped' | 'unknown'
  reason: string | null
}

const FAILED: Record<Channel, [string, ...string[]]> = {
  email: ['invalid_address', 'content_rejected'],
  sms: ['invalid_number', 'unreachable', 'blocked'],
  whatsapp: ['invalid_number', 'unreachable', 'template_rejected'],
}
const UNKNOWN = ['provider_timeout', 'provider_connection_lost', 'provider_error'] as const

/** The outcome of a message, the same for the same key: most are delivered, some skipped, few fail. */
export function outcomeOf(key: string, channel: Channel, isMarketing: boolean): Outcome {
  const at = share(key, 'outcome')
  if (at < 0.66) return { status: 'delivered', reason: null }
  if (at < 0.83) return { status: 'sent', reason: null }
  if (at < 0.95) {
    const reasons: [string, ...string[]] = isMarketing
      ? ['frequency_cap', 'frequency_cap', 'suppressed', 'suppressed', 'duplicate']
      : ['reservation_changed', 'suppressed']
    return { status: 'skipped', reason: oneOf(key, 'skipped', reasons) }
  }
  if (at < 0.985) return { status: 'failed', reason: oneOf(key, 'failed', FAILED[channel]) }
  return { status: 'unknown', reason: oneOf(key, 'unknown', UNKNOWN) }
}
