import 'server-only'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { configuredProviders } from './configured-providers'
import { CHANNELS, type Channel } from './schema'

/** The channels that have no provider: what goes by them is recorded and sent nowhere. */
export async function sandboxChannels({ organization }: Pick<Session, 'organization'>): Promise<Channel[]> {
  const providers = await configuredProviders(serviceDb(), organization.id)
  return CHANNELS.filter((channel) => !providers[channel])
}
