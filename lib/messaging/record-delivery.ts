import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'

/** What a provider reports of a message, which it names by its own id and, where it can, by ours. */
export interface DeliveryReport {
  organizationId: string
  provider: 'twilio' | 'resend'
  providerId: string
  messageId: string | null
  status: 'sent' | 'delivered' | 'failed'
  /** Why it failed: a short code without personal data. */
  reason?: string
  at: Date
}

/** Records a report; statuses only move forward, an unknown message is passed over. */
export async function recordDelivery(report: DeliveryReport): Promise<void> {
  const parameters = {
    p_organization: report.organizationId,
    p_provider: report.provider,
    p_provider_id: report.providerId,
    p_message: report.messageId as string,
    p_status: report.status,
    p_reason: report.reason,
    p_at: report.at.toISOString(),
  }
  unwrap(await serviceDb().rpc('record_delivery', parameters))
}
