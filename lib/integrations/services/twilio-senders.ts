import 'server-only'
import { z } from 'zod'
import { env } from '@/lib/env'
import { failed, type Question } from '../question'
import type { TestResult } from '../schema'
import { isMessagingService } from '../types/twilio'
import type { TwilioConfig } from './twilio'

// Twilio's WhatsApp sandbox: everybody may send by it, and it is in nobody's list.
const SANDBOX = '+14155238886'

/**
 * Asks Twilio whether the senders are the account's. A name cannot be asked for. Only an answer that says so counts
 * against a sender: other answers leave it open.
 */
export function twilioSenders(config: TwilioConfig): Question[] {
  const { smsFrom, whatsappFrom } = config
  return [
    ...(smsFrom === null ? [] : smsSender(config, smsFrom)),
    ...(whatsappFrom === null ? [] : whatsappSender(config, whatsappFrom)),
  ]
}

function smsSender(config: TwilioConfig, from: string): Question[] {
  const unknown = failed('sms_sender_unknown', 'sms_from is no sender of the account that can send SMS')
  const own = `/2010-04-01/Accounts/${encodeURIComponent(config.accountSid)}`
  if (isMessagingService(from)) return [service(config, from, unknown)]
  if (from.startsWith('+'))
    return [
      question(config, `${own}/IncomingPhoneNumbers.json?PhoneNumber=${encodeURIComponent(from)}`, (body) => {
        const found = numbers.safeParse(body).data?.incoming_phone_numbers
        return found && !found.some(({ capabilities }) => capabilities?.sms !== false) ? unknown : null
      }),
    ]
  if (/^\d+$/.test(from))
    return [
      question(config, `${own}/SMS/ShortCodes.json?ShortCode=${from}`, (body) =>
        shortCodes.safeParse(body).data?.short_codes.length === 0 ? unknown : null,
      ),
    ]
  return []
}

const numbers = z.object({
  incoming_phone_numbers: z.array(z.object({ capabilities: z.object({ sms: z.boolean() }).optional() })),
})
const shortCodes = z.object({ short_codes: z.array(z.unknown()) })

function whatsappSender(config: TwilioConfig, given: string): Question[] {
  const from = given.replace(/^whatsapp:/, '')
  const unknown = failed('whatsapp_sender_unknown', 'whatsapp_from is no WhatsApp sender of the account')
  if (isMessagingService(from)) return [service(config, from, unknown)]
  if (from === SANDBOX) return []
  return [
    question(
      config,
      '/v2/Channels/Senders?Channel=whatsapp&PageSize=100',
      (body) => {
        const list = channelSenders.safeParse(body).data
        const sender = list?.senders.find(({ sender_id }) => sender_id === `whatsapp:${from}`)
        if (sender && /^(OFFLINE|DRAFT|PENDING)/.test(sender.status))
          return failed('whatsapp_sender_offline', 'whatsapp_from is not online yet')
        return list && !sender && !list.meta?.next_page_url ? unknown : null
      },
      MESSAGING,
    ),
  ]
}

const channelSenders = z.object({
  senders: z.array(z.object({ sender_id: z.string(), status: z.string() })),
  meta: z.object({ next_page_url: z.string().nullish() }).nullish(),
})

// The API for senders and services has a host of its own.
const MESSAGING = '//messaging.'

const service = (config: TwilioConfig, sid: string, unknown: TestResult): Question => ({
  ...question(config, `/v1/Services/${encodeURIComponent(sid)}`, () => null, MESSAGING),
  judge: (status) => (status === 404 ? unknown : null),
})

function question(
  { accountSid, authToken }: TwilioConfig,
  path: string,
  judge: (body: unknown) => TestResult | null,
  host = '//api.',
): Question {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  return {
    baseUrl: env().TWILIO_BASE_URL.replace('//api.', host),
    path,
    init: { headers: { authorization: `Basic ${basic}`, accept: 'application/json' } },
    judge: (status, body) => (status === 200 ? judge(body) : null),
  }
}
