import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { enabledProviders } from '@/lib/integrations/services'
import { CHANNELS, type Channel } from './channels'
import type { Provider, Providers } from './provider'

/**
 * The providers of the organization's messages: its enabled integrations. With MESSAGE_SANDBOX=1 the sandbox replaces
 * missing ones; without it their channels send nothing.
 * @param db the service client
 * @throws Error when a stored secret cannot be decrypted; DatabaseError.
 */
export async function providersFor(db: Db, organizationId: string): Promise<Providers> {
  const configured = await enabledProviders(db, organizationId)
  if (!sendingSettings().sandbox) return configured
  return { whatsapp: sandbox, sms: sandbox, email: sandbox, ...configured }
}

/** The deployment's settings for sending: whether the sandbox is on, and whether there is an address for links. */
export function sendingSettings(): { sandbox: boolean; links: boolean } {
  const { MESSAGE_SANDBOX, PUBLIC_URL } = env()
  return { sandbox: MESSAGE_SANDBOX, links: PUBLIC_URL !== '' }
}

/** Channels that cannot send, with the reason; `no_app_url` affects only marketing, which needs an unsubscribe link. */
export type ClosedChannels = Partial<Record<Channel, 'no_provider' | 'no_app_url'>>

/** The channels that an organization with these providers cannot use, for the planning of messages. */
export function closedChannels(providers: Providers): ClosedChannels {
  const closed: ClosedChannels = {}
  for (const channel of CHANNELS) if (!providers[channel]) closed[channel] = 'no_provider'
  if (sendingSettings().links) return closed
  // Marketing has to say how to opt out: an e-mail by a link, an SMS by an answer or a link.
  return { email: 'no_app_url', ...(providers.sms?.answers ? {} : { sms: 'no_app_url' as const }), ...closed }
}

/**
 * The reasons why a channel's messages are not sent: no provider; no unsubscribe link for marketing; the sandbox is on.
 */
export type ChannelTroubles = Partial<Record<Channel, 'no_provider' | 'no_app_url' | 'simulated'>>

/** The reasons why the organization's messages do not reach customers, by channel; empty when there are none. */
export async function channelTroubles({
  organization,
}: Pick<Session, 'organization'>): Promise<ChannelTroubles> {
  const providers = await providersFor(serviceDb(), organization.id)
  const simulated = Object.entries(providers).filter(([, provider]) => provider === sandbox)
  return {
    ...Object.fromEntries(simulated.map(([channel]) => [channel, 'simulated'])),
    ...closedChannels(providers),
  }
}

/** Accepts every message and sends none; the message with its frozen content is the record. */
export const sandbox: Provider = {
  name: 'sandbox',
  send: async (batch) => batch.map(({ id }) => ({ kind: 'accepted', providerId: `sandbox-${id}` })),
}
