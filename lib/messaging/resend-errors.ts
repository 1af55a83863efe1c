import type { Outcome } from './provider'
import { paused } from './provider-outcomes'

const QUOTAS = new Set(['daily_quota_exceeded', 'monthly_quota_exceeded'])
const CONFLICTS: Record<string, string> = {
  // An earlier request under this key was taken with other content: what it sent, only the webhook can tell.
  invalid_idempotent_request: 'idempotency_conflict',
  concurrent_idempotent_requests: 'provider_busy',
}

/** A short reason for what Resend says of one e-mail; its own words may repeat the address. */
export function resendReason(message: string): string {
  return /`to`/.test(message) ? 'invalid_address' : 'content_rejected'
}

/** What an answer of Resend's (status, error name and message) means, where the status alone does not tell; else null. */
export function resendRefusal(status: number, name: string, message: string): Outcome | null {
  if (QUOTAS.has(name)) return paused('provider_quota')
  if (status === 409) return { kind: 'ambiguous', reason: CONFLICTS[name] ?? 'provider_busy' }
  if (name === 'invalid_from_address' || /`from`/.test(message) || status === 404 || status === 405)
    return paused('provider_config')
  if ([400, 413, 422, 451].includes(status)) return { kind: 'permanent', reason: resendReason(message) }
  return null
}
