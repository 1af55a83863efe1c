import 'server-only'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { enabledResendConfigs } from '@/lib/integrations/resend-config'
import { enabledTwilioConfigs } from '@/lib/integrations/twilio-config'
import type { Provider, Providers } from './provider'
import { resendProvider } from './resend'
import { twilioProvider } from './twilio'

/**
 * Who sends the organization's messages, by its enabled integrations; a channel without one is left out.
 * @param db the service client
 * @throws Error when a stored secret cannot be decrypted; DatabaseError.
 */
export async function configuredProviders(db: Db, organizationId: string): Promise<Providers> {
  const { PUBLIC_URL, TWILIO_BASE_URL, RESEND_BASE_URL, ...pace } = env()
  const [[twilio], [resend]] = await Promise.all([
    enabledTwilioConfigs(db, organizationId),
    enabledResendConfigs(db, organizationId),
  ])
  const providers: Providers = {}
  if (twilio) {
    const statusCallback = PUBLIC_URL ? `${PUBLIC_URL}/api/webhooks/twilio` : null
    const account = { ...twilio, baseUrl: TWILIO_BASE_URL, statusCallback }
    if (twilio.smsFrom)
      providers.sms = own(twilioProvider({ ...account, from: twilio.smsFrom, pace: pace.SMS_PER_SECOND }))
    if (twilio.whatsappFrom)
      providers.whatsapp = own(
        twilioProvider({ ...account, from: twilio.whatsappFrom, pace: pace.WHATSAPP_PER_SECOND }),
      )
  }
  if (resend)
    providers.email = own(
      resendProvider({ ...resend, baseUrl: RESEND_BASE_URL, pace: pace.EMAILS_PER_SECOND }),
    )
  return providers
}

const own = (provider: Provider): Provider => ({ ...provider, isIntegration: true })
