import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { CHANNELS, type Channel } from '@/lib/messaging/schema'

/**
 * The legal basis for marketing to a customer; `existing_customer`: the customer came, or the group declared it (LSSI
 * art. 21.2).
 */
export const CONSENT_BASES = ['opt_in', 'existing_customer', 'none'] as const
export type ConsentBasis = (typeof CONSENT_BASES)[number]

const SOURCES = ['visit', 'import', 'staff', 'unsubscribe', 'stop', 'bounce', 'complaint'] as const

const channelConsent = z.object({
  basis: z.enum(CONSENT_BASES),
  source: z.enum(SOURCES).nullable(),
  at: instant.nullable(),
  author: z.string().nullable(),
  reason: z.string().nullable(),
  opted_out: z.boolean(),
})
/**
 * A customer's consent for a channel. While they are opted out, source, date, author and reason describe the opt-out,
 * not the basis.
 */
export type ChannelConsent = z.infer<typeof channelConsent>

export const consentSchema = z
  .object({ whatsapp: channelConsent, sms: channelConsent, email: channelConsent })
  .meta({ id: 'Consent' })
type Consent = z.infer<typeof consentSchema>

/** Values of the consent filter for a channel: each basis, plus reachable and opted_out. */
export const CONSENT_STATES = ['reachable', 'opted_out', ...CONSENT_BASES] as const
export type ConsentFilter = `${Channel}:${(typeof CONSENT_STATES)[number]}`
export const CONSENT_FILTERS = CHANNELS.flatMap((channel) =>
  CONSENT_STATES.map((state): ConsentFilter => `${channel}:${state}`),
)

interface Reachable {
  email: string | null
  phone: string | null
  whatsapp_id: string | null
  consent: Consent
}

/** The customer's address on a channel. */
export const addressOf = (customer: Omit<Reachable, 'consent'>, channel: Channel): string | null => {
  const { email, phone, whatsapp_id } = customer
  return { email, sms: phone, whatsapp: phone ?? whatsapp_id }[channel]
}

/** The channels by which marketing may write to the customer. */
export const openChannels = (customer: Reachable): Channel[] =>
  CHANNELS.filter((channel) => {
    const { basis, opted_out } = customer.consent[channel]
    return addressOf(customer, channel) !== null && basis !== 'none' && !opted_out
  })
