import 'server-only'
import type { Db } from '@/lib/db/types'
import { configuredProviders } from './configured-providers'
import type { Providers } from './provider'
import { sandbox } from './sandbox'

/**
 * Who sends the organization's messages: its enabled integrations, and the sandbox where there is none.
 * @param db the service client
 * @throws Error when a stored secret cannot be decrypted; DatabaseError.
 */
export async function providersFor(db: Db, organizationId: string): Promise<Providers> {
  const configured = await configuredProviders(db, organizationId)
  return { whatsapp: sandbox, sms: sandbox, email: sandbox, ...configured }
}
