import 'server-only'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { CHANNELS, type Channel } from './channels'
import { configuredProviders } from './configured-providers'
import type { Providers } from './provider'
import { sandbox } from './sandbox'

/**
 * Who sends the organization's messages: its enabled integrations. With MESSAGE_SANDBOX=1 the sandbox stands in for
 * those that are missing; without it nothing goes by their channels.
 * @param db the service client
 * @throws Error when a stored secret cannot be decrypted; DatabaseError.
 */
export async function providersFor(db: Db, organizationId: string): Promise<Providers> {
  const configured = await configuredProviders(db, organizationId)
  if (!sendingSettings().sandbox) return configured
  return { whatsapp: sandbox, sms: sandbox, email: sandbox, ...configured }
}

/** What of sending depends on the deployment: whether the sandbox is on, and whether there is an address for links. */
export function sendingSettings(): { sandbox: boolean; links: boolean } {
  const { MESSAGE_SANDBOX, PUBLIC_URL } = env()
  return { sandbox: MESSAGE_SANDBOX, links: PUBLIC_URL !== '' }
}

/** Channels by which nothing can go, and why; `no_app_url` concerns marketing alone: it needs an unsubscribe link. */
export type ClosedChannels = Partial<Record<Channel, 'no_provider' | 'no_app_url'>>

/** What an organization with these providers cannot send; the planning of messages asks for it. */
export function closedChannels(providers: Providers): ClosedChannels {
  const closed: ClosedChannels = {}
  for (const channel of CHANNELS) if (!providers[channel]) closed[channel] = 'no_provider'
  return sendingSettings().links ? closed : { email: 'no_app_url', ...closed }
}
