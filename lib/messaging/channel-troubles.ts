import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import type { Channel } from './channels'
import { closedChannels, providersFor } from './providers-for'
import { sandbox } from './sandbox'

/**
 * Why messages by a channel are not sent: it has no provider; marketing by it would have no unsubscribe link; the
 * sandbox takes them.
 */
export type ChannelTroubles = Partial<Record<Channel, 'no_provider' | 'no_app_url' | 'simulated'>>

/** What keeps the organization's messages from reaching anybody, by channel; empty when all is well. */
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
