import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import type { SenderType } from '@/lib/integrations/types'
import type { MessagesQuery } from './filters'
import type { MessageReason } from './reasons'
import { type Message, messageSchema } from './schema'

/** The columns of `messageSchema`. */
const MESSAGE_COLUMNS =
  'id, automation_id, run_id, customer_id, channel, recipient, status, reason, detail, simulated, created_at, sent_at'

/** A keyset page of the messages to the organization's customers, the newest first. */
export async function listMessages(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit = 50, ...filters }: Partial<MessagesQuery>,
): Promise<{ data: Message[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  let query = db.from('messages').select(MESSAGE_COLUMNS).eq('organization_id', organization.id)
  // Quoted, because the embedded stack reads a bare `unknown` as a boolean.
  for (const [column, value] of Object.entries(filters))
    if (value !== undefined) query = query.filter(column, 'in', `("${value}")`)
  if (after) query = query.lte('created_at', after.key).or(afterCursor('created_at', after, false))
  const found = await query
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = z.array(messageSchema).parse(unwrap(found))
  return pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
}

/**
 * Settles a message with an unknown outcome. One that failed may be planned again by the automation's next run.
 * @throws HttpError 404 when the caller can see no such message; 409 when its outcome is known.
 */
export async function reconcileMessage(
  { db }: Pick<Session, 'db'>,
  id: string,
  status: 'sent' | 'failed',
): Promise<Message> {
  const outcome = unwrap(await db.rpc('reconcile_message', { p_id: id, p_status: status }))
  refuse(outcome, { not_unknown: 'OUTCOME_KNOWN' })
  return messageSchema.parse(unwrap(await db.from('messages').select(MESSAGE_COLUMNS).eq('id', id).single()))
}

/** A provider's report about a message, by the provider's id and, if present, ours. */
export interface DeliveryReport {
  organizationId: string
  provider: SenderType
  providerId: string
  messageId: string | null
  status: 'sent' | 'delivered' | 'failed'
  reason?: MessageReason
  at: Date
}

/** Records a report; statuses only move forward, an unknown message is ignored. */
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

/** Records that the guest of a message reported it as unwanted; an unknown message is ignored. */
export async function recordComplaint({
  organizationId,
  provider,
  providerId,
  messageId,
}: Pick<DeliveryReport, 'organizationId' | 'provider' | 'providerId' | 'messageId'>): Promise<void> {
  const parameters = {
    p_organization: organizationId,
    p_provider: provider,
    p_provider_id: providerId,
    p_message: messageId as string,
  }
  unwrap(await serviceDb().rpc('record_complaint', parameters))
}
