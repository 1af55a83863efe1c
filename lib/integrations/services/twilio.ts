import 'server-only'
import { z } from 'zod'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import type { Provider } from '@/lib/messaging/provider'
import { twilioProvider } from '@/lib/messaging/twilio'
import { failed, type Question, works } from '../question'
import { isMessagingService } from '../types/twilio'
import type { Sender } from './service'
import { openSecret, readEnabled, trimmed } from './stored'
import { twilioSenders } from './twilio-senders'

/**
 * An organization's Twilio account. A sender is a number, a name or a messaging service (MG…). Never log `authToken`.
 */
export interface TwilioConfig {
  organizationId: string
  accountSid: string
  authToken: string
  smsFrom: string | null
  whatsappFrom: string | null
}

const config = z.object({ account_sid: z.string(), sms_from: trimmed, whatsapp_from: trimmed })
const secrets = z.object({ auth_token: z.string() })

/** SMS and WhatsApp by Twilio. */
export const twilio: Sender<TwilioConfig> = {
  type: 'twilio',
  config,
  secrets,
  open: (row) => {
    const { account_sid, sms_from, whatsapp_from } = config.parse(row.config)
    return {
      organizationId: row.organization_id,
      accountSid: account_sid,
      authToken: openSecret(row, 'auth_token', secrets.parse(row.secrets).auth_token),
      smsFrom: sms_from,
      whatsappFrom: whatsapp_from,
    }
  },
  providers: ({ smsFrom, whatsappFrom, ...credentials }) => {
    const { PUBLIC_URL, TWILIO_BASE_URL, SMS_PER_SECOND, WHATSAPP_PER_SECOND } = env()
    const statusCallback = PUBLIC_URL ? `${PUBLIC_URL}/api/webhooks/twilio` : null
    const account = { ...credentials, baseUrl: TWILIO_BASE_URL, statusCallback }
    return {
      ...(smsFrom
        ? {
            sms: {
              ...twilioProvider({ ...account, from: smsFrom, pace: SMS_PER_SECOND }),
              answers: answersOf(smsFrom),
            },
          }
        : {}),
      ...(whatsappFrom
        ? { whatsapp: twilioProvider({ ...account, from: whatsappFrom, pace: WHATSAPP_PER_SECOND }) }
        : {}),
    }
  },
  questions: (config) => [askAccount(config), ...twilioSenders(config)],
}

/** Where a guest answers an SMS of this sender; a name cannot be answered. */
function answersOf(sender: string): Provider['answers'] {
  if (isMessagingService(sender)) return 'message'
  return /^\+\d+$/.test(sender) ? { number: sender } : undefined
}

/**
 * The enabled Twilio accounts: of one organization, or of all.
 * @throws Error when a token cannot be decrypted.
 */
export const enabledTwilioConfigs = (db: Db, organizationId?: string): Promise<TwilioConfig[]> =>
  readEnabled(twilio, db, organizationId)

const account = z.object({ sid: z.string(), status: z.string() })

/** Requests the account itself. */
function askAccount({ accountSid, authToken }: TwilioConfig): Question {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  return {
    baseUrl: env().TWILIO_BASE_URL,
    path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`,
    init: { headers: { authorization: `Basic ${basic}`, accept: 'application/json' } },
    judge: (status, body) => {
      // Twilio reports a malformed SID as wrong credentials.
      if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
        return failed('bad_account', 'account_sid: AC and 32 hexadecimal digits')
      if (status !== 200) return null
      const found = account.safeParse(body)
      if (!found.success) return null
      return found.data.status === 'active' ? works : failed('suspended', 'the account is not active')
    },
  }
}
