import 'server-only'
import twilio from 'twilio'
import { z } from 'zod'
import { type MediaKind, mediaKindOf } from '@/lib/conversations/media'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { readForm } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { enabledTwilioConfigs, type TwilioConfig } from '@/lib/integrations/services/twilio'
import { recordDelivery } from '@/lib/messaging/messages'
import { twilioReason } from '@/lib/messaging/twilio'
import { takeText } from '@/lib/replies/take-text'
import { noteWebhook } from './heard'
import { once, receiptOf } from './once'
import { wishOf } from './wish'

const STATUSES: Record<string, 'sent' | 'delivered' | 'failed'> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}
const SID = /^[A-Z]{2}[0-9a-f]{32}$/
const NUMBER = /^\+[1-9]\d{5,14}$/
// At present a country, a dot and up to 128 letters and digits; similar texts are accepted as ids too.
const WHATSAPP_ID = /^(?=.*[A-Za-z])[A-Za-z0-9._-]{1,140}$/

type Form = Map<string, string>

/**
 * Handles a delivery report or an inbound message of Twilio.
 * @throws HttpError 403 when no enabled account signed it; 413, 415 or 400 when the body is not a form.
 */
export async function receiveFromTwilio(request: Request, messageId: string | undefined): Promise<Response> {
  const signature = request.headers.get('x-twilio-signature')
  if (!signature) throw new HttpError('FORBIDDEN')
  const form = await readForm(request)
  const config = await signer(request, signature, form)
  if (form.has('MessageStatus')) await recordReport(config, form, { messageId, signature })
  else await recordInbound(config, form, signature)
  return new Response('<Response/>', { headers: { 'Content-Type': 'text/xml' } })
}

async function signer(request: Request, signature: string, form: Form): Promise<TwilioConfig> {
  const url = publicUrl(request, env().APP_URL)
  const fields = Object.assign(Object.create(null), Object.fromEntries(form)) as Record<string, string>
  const configs = await enabledTwilioConfigs(serviceDb())
  const config = configs.find(
    ({ accountSid, authToken }) =>
      accountSid === form.get('AccountSid') && twilio.validateRequest(authToken, signature, url, fields),
  )
  await noteWebhook('twilio', config?.organizationId ?? null)
  if (!config) throw new HttpError('FORBIDDEN')
  return config
}

/** The address that Twilio called: under APP_URL, else by the proxies' headers, else the request's own. */
export function publicUrl(request: Request, appUrl: string): string {
  const url = new URL(request.url)
  if (appUrl) return `${appUrl}${url.pathname}${url.search}`
  const first = (name: string) => request.headers.get(name)?.split(',')[0]?.trim()
  const protocol = first('x-forwarded-proto') ?? url.protocol.replace(':', '')
  const host = first('x-forwarded-host') ?? request.headers.get('host') ?? url.host
  return `${protocol}://${host}${url.pathname}${url.search}`
}

async function recordReport(
  config: TwilioConfig,
  form: Form,
  { messageId, signature }: { messageId: string | undefined; signature: string },
): Promise<void> {
  const status = STATUSES[form.get('MessageStatus') ?? '']
  const providerId = form.get('MessageSid') ?? ''
  if (!status || !SID.test(providerId)) return
  const code = Number(form.get('ErrorCode') || Number.NaN)
  await recordDelivery({
    organizationId: config.organizationId,
    provider: 'twilio',
    providerId,
    messageId: z.guid().safeParse(messageId).data ?? null,
    status,
    reason: twilioReason(Number.isSafeInteger(code) ? code : undefined),
    at: new Date(),
  })
  const { phone, whatsappId } = correspondent(form.get('To'), form.get('ExternalUserId')) ?? {}
  if (!phone || !whatsappId) return
  // Statuses only move forward anyway; but a replay could link a number with a new owner to its former id.
  const receipt = { organizationId: config.organizationId, receipt: receiptOf(signature), opens: true }
  await once(receipt, () => linkWhatsApp(config, phone, whatsappId))
}

async function linkWhatsApp({ organizationId }: TwilioConfig, phone: string, whatsappId: string) {
  const parameters = { p_organization: organizationId, p_phone: phone, p_whatsapp_id: whatsappId }
  unwrap(await serviceDb().rpc('link_whatsapp', parameters))
}

interface Correspondent {
  channel: 'sms' | 'whatsapp'
  /** In E.164; null for a WhatsApp user without a visible number. */
  phone: string | null
  /** The business-scoped id of a WhatsApp user; null when Twilio sends none. */
  whatsappId: string | null
}

/** The customer of `From` or `To`, with the id given beside it; null when it is neither a number nor an id. */
function correspondent(
  address: string | undefined,
  externalUserId: string | undefined,
): Correspondent | null {
  const [, prefix, rest = ''] = /^(whatsapp:)?(.*)$/s.exec(address ?? '') ?? []
  const phone = NUMBER.test(rest) ? rest : null
  if (!prefix) return phone === null ? null : { channel: 'sms', phone, whatsappId: null }
  const candidates = [externalUserId?.replace(/^whatsapp:/, ''), rest]
  const whatsappId = candidates.find((id) => id !== undefined && WHATSAPP_ID.test(id)) ?? null
  return phone === null && whatsappId === null ? null : { channel: 'whatsapp', phone, whatsappId }
}

async function recordInbound({ organizationId }: TwilioConfig, form: Form, signature: string): Promise<void> {
  const sender = correspondent(form.get('From'), form.get('ExternalUserId'))
  if (!sender) return
  const answered = form.get('OriginalRepliedMessageSid') ?? ''
  const wish = wishOf(form.get('Body') || form.get('ButtonText') || '', form.get('OptOutType'))
  const parameters = {
    p_organization: organizationId,
    p_channel: sender.channel,
    p_phone: sender.phone ?? undefined,
    p_whatsapp_id: sender.whatsappId ?? undefined,
    p_answers: SID.test(answered) ? answered : undefined,
    p_wish: wish ?? undefined,
    // A hash of the signed address and form: the request counts once.
    p_receipt: receiptOf(signature),
  }
  unwrap(await serviceDb().rpc('record_inbound', parameters))
  const id = form.get('MessageSid') ?? ''
  if (!SID.test(id)) return
  await takeText({
    ...{ organizationId, id, ...sender, wish },
    name: sender.channel === 'whatsapp' ? (form.get('ProfileName') ?? null) : null,
    answers: parameters.p_answers ?? null,
    text: form.get('Body') || form.get('ButtonText') || '',
    media: mediaOf(form),
    button: form.get('ButtonPayload') || null,
  })
}

/** What came with a message, by its first file; null: nothing. */
function mediaOf(form: Form): MediaKind | null {
  if (Number(form.get('NumMedia') || 0) > 0) return mediaKindOf(form.get('MediaContentType0') ?? '')
  return form.has('Latitude') && form.has('Longitude') ? 'location' : null
}
