import 'server-only'
import twilio from 'twilio'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { readForm } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { enabledTwilioConfigs, type TwilioConfig } from '@/lib/integrations/twilio-config'
import { recordDelivery } from '@/lib/messaging/record-delivery'
import { suppress, unsuppress } from '@/lib/messaging/suppress'
import { twilioReason } from '@/lib/messaging/twilio-codes'
import { wishOf } from './stop-words'

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
const SENDER = /^(whatsapp:)?(\+[1-9]\d{5,14})$/

type Form = Map<string, string>

/**
 * A delivery report or an inbound message of Twilio's.
 * @throws HttpError 403 when no enabled account signed it; 413, 415 or 400 when it is no form.
 */
export async function receiveFromTwilio(request: Request, messageId: string | undefined): Promise<Response> {
  const signature = request.headers.get('x-twilio-signature')
  if (!signature) throw new HttpError(403, { error: 'Forbidden' })
  const form = await readForm(request)
  const config = await signer(request, signature, form)
  if (form.has('MessageStatus')) await takeReport(config, form, messageId)
  else await takeInbound(config, form)
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
  if (!config) throw new HttpError(403, { error: 'Forbidden' })
  return config
}

/** The address as Twilio called it: under APP_URL, else what the proxies in front say, else as it came. */
export function publicUrl(request: Request, appUrl: string): string {
  const url = new URL(request.url)
  if (appUrl) return `${appUrl}${url.pathname}${url.search}`
  const first = (name: string) => request.headers.get(name)?.split(',')[0]?.trim()
  const protocol = first('x-forwarded-proto') ?? url.protocol.replace(':', '')
  const host = first('x-forwarded-host') ?? request.headers.get('host') ?? url.host
  return `${protocol}://${host}${url.pathname}${url.search}`
}

async function takeReport(config: TwilioConfig, form: Form, messageId: string | undefined): Promise<void> {
  const status = STATUSES[form.get('MessageStatus') ?? '']
  const providerId = form.get('MessageSid') ?? ''
  if (!status || !SID.test(providerId)) return
  const code = Number(form.get('ErrorCode') || Number.NaN)
  await recordDelivery({
    organizationId: config.organizationId,
    provider: 'twilio',
    providerId,
    messageId: z.uuid().safeParse(messageId).data ?? null,
    status,
    reason: twilioReason(Number.isSafeInteger(code) ? code : undefined),
    at: new Date(),
  })
}

async function takeInbound({ organizationId }: TwilioConfig, form: Form): Promise<void> {
  const [, whatsapp, address] = SENDER.exec(form.get('From') ?? '') ?? []
  if (!address) return
  const recipient = { organizationId, channel: whatsapp ? 'whatsapp' : 'sms', address } as const
  const parameters = { p_organization: organizationId, p_channel: recipient.channel, p_address: address }
  unwrap(await serviceDb().rpc('record_inbound', parameters))
  const wish = wishOf(form.get('Body') ?? '', form.get('OptOutType'))
  if (wish === 'stop') await suppress(recipient, [address], 'stop')
  if (wish === 'start') await unsuppress(recipient, ['stop', 'unsubscribe'])
}
