import 'server-only'
import { Resend } from 'resend'
import { z } from 'zod'
import { storedForms } from '@/lib/contact/email'
import { DAY_MS } from '@/lib/dates'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { readText } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { parseJson } from '@/lib/http/json'
import { enabledResendConfigs, type ResendConfig } from '@/lib/integrations/services/resend'
import { type EngagementEvent, linkOf } from '@/lib/messaging/engagement'
import { recordComplaint, recordDelivery } from '@/lib/messaging/messages'
import type { MessageReason } from '@/lib/messaging/reasons'
import { recordEngagement } from '@/lib/messaging/record-engagement'
import { type SuppressionReason, suppress } from '@/lib/messaging/unsubscribe'
import { noteWebhook } from './heard'
import { once, receiptOf } from './once'

const MAX_BYTES = 256 * 1024
const MONTH_MS = 30 * DAY_MS
const MAX_RECIPIENTS = 50
const MAX_AGENT = 500

const tagsSchema = z.union([
  z.record(z.string(), z.string()),
  z
    .array(z.object({ name: z.string(), value: z.string() }))
    .transform((tags) => Object.fromEntries(tags.map(({ name, value }) => [name, value]))),
])
const engagementSchema = z.object({
  link: z.string().max(4000).optional().catch(undefined),
  timestamp: z.coerce.date().optional().catch(undefined),
  userAgent: z.string().optional().catch(undefined),
})
const eventSchema = z.object({
  type: z.string(),
  created_at: z.coerce.date().optional().catch(undefined),
  data: z.object({
    email_id: z.guid(),
    to: z.array(z.string()).catch([]),
    tags: tagsSchema.catch({}),
    bounce: z.object({ type: z.string().optional() }).optional().catch(undefined),
    // The SDK does not document `open`. If Resend sends it, its user agent helps to judge.
    open: engagementSchema.optional().catch(undefined),
    click: engagementSchema.optional().catch(undefined),
  }),
})
type Event = z.output<typeof eventSchema>

interface Effect {
  status: 'sent' | 'delivered' | 'failed'
  reason?: MessageReason
  suppress?: SuppressionReason
}

/**
 * Handles a delivery report of Resend.
 * @throws HttpError 403 when no enabled account signed it within five minutes, 413 when it is too large.
 */
export async function receiveFromResend(request: Request): Promise<{ success: true }> {
  const header = (name: string) => request.headers.get(name) ?? ''
  const headers = {
    id: header('svix-id'),
    timestamp: header('svix-timestamp'),
    signature: header('svix-signature'),
  }
  if (!headers.id || !headers.timestamp || !headers.signature) throw forbidden()
  const payload = await readText(request, MAX_BYTES)
  const configs = await enabledResendConfigs(serviceDb())
  const config = configs.find((each) => verified(each, payload, headers))
  await noteWebhook('resend', config?.organizationId ?? null)
  if (!config) throw forbidden()
  // Events of another shape are not about our e-mails.
  const event = eventSchema.safeParse(jsonOf(payload))
  if (event.success) await recordEvent(config, event.data, headers.id)
  return { success: true }
}

function jsonOf(payload: string): unknown {
  try {
    return parseJson(payload)
  } catch {
    return null
  }
}

const forbidden = () => new HttpError('FORBIDDEN')

type SignatureHeaders = { id: string; timestamp: string; signature: string }

function verified(
  { apiKey, webhookSecret }: ResendConfig,
  payload: string,
  headers: SignatureHeaders,
): boolean {
  if (!webhookSecret) return false
  try {
    new Resend(apiKey).webhooks.verify({ payload, headers, webhookSecret })
    return true
  } catch {
    return false
  }
}

async function recordEvent({ organizationId }: ResendConfig, event: Event, eventId: string): Promise<void> {
  const { type, created_at, data } = event
  const messageId = z.guid().safeParse(data.tags.message_id).data ?? null
  const email = { organizationId, providerId: data.email_id, messageId }
  const engagement = engagementOf(event, eventId)
  if (engagement) await recordEngagement(email, engagement)
  const effect = effectOf(type, data.bounce?.type)
  if (!effect) return
  await recordDelivery({
    ...email,
    provider: 'resend',
    status: effect.status,
    reason: effect.reason,
    at: plausibleTime(created_at, new Date()),
  })
  // Opens may come before the delivery is known, and its time decides what was too early.
  if (type === 'email.delivered') await recordEngagement(email, null)
  const reason = effect.suppress
  if (!reason) return
  if (reason === 'complaint') await recordComplaint({ ...email, provider: 'resend' })
  const addresses = data.to.slice(0, MAX_RECIPIENTS).flatMap(storedForms)
  // Only once, because staff may lift the suppression later. The signature expires after five minutes.
  await once({ organizationId, receipt: receiptOf(eventId), opens: false }, () =>
    suppress({ organizationId, channel: 'email' }, addresses, reason),
  )
}

/** The open or click of an event; null for other events, and for a click on no web address. */
function engagementOf({ type, created_at, data }: Event, eventId: string): EngagementEvent | null {
  const kind = type === 'email.opened' ? 'open' : type === 'email.clicked' ? 'click' : null
  if (!kind) return null
  const details = data[kind]
  const link = kind === 'click' ? linkOf(details?.link ?? '', env().PUBLIC_URL) : null
  if (kind === 'click' && link === null) return null
  return {
    receipt: receiptOf(eventId),
    kind,
    link,
    agent: details?.userAgent?.replaceAll('\0', '').slice(0, MAX_AGENT).toWellFormed() || null,
    at: plausibleTime(details?.timestamp ?? created_at, new Date()).toISOString(),
  }
}

function effectOf(type: string, bounce: string | undefined): Effect | null {
  switch (type) {
    case 'email.sent':
      return { status: 'sent' }
    case 'email.delivered':
      return { status: 'delivered' }
    case 'email.bounced':
      if (bounce?.toLowerCase() === 'permanent')
        return { status: 'failed', reason: 'bounced', suppress: 'bounce' }
      return { status: 'failed', reason: 'soft_bounce' }
    // A complaint proves delivery.
    case 'email.complained':
      return { status: 'delivered', suppress: 'complaint' }
    case 'email.failed':
      return { status: 'failed', reason: 'provider_failed' }
    case 'email.suppressed':
      return { status: 'failed', reason: 'provider_suppressed' }
    default:
      return null
  }
}

function plausibleTime(at: Date | undefined, now: Date): Date {
  return at && Math.abs(at.getTime() - now.getTime()) < MONTH_MS ? at : now
}
