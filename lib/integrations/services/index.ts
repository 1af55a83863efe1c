import 'server-only'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import type { Providers } from '@/lib/messaging/provider'
import type { Question } from '../question'
import { type IntegrationType, SENDER_TYPES, type SenderType } from '../types'
import { ai } from './ai'
import { resend } from './resend'
import type { Sender, Service } from './service'
import { enabledRows, type Row, readRows, readStored } from './stored'
import { twilio } from './twilio'

/** The services that are asked questions to test them; a PMS is tested by its reservations (lib/pms). */
export type ServiceType = Exclude<IntegrationType, 'pms'>

/** What a service does with its own settings, whatever they are. */
interface Parts {
  questions: (organizationId: string) => Promise<Question[]>
  providers: (rows: readonly Row[]) => Providers
}

function partsOf<Config>(service: Service<Config> & Partial<Sender<Config>>): Parts {
  return {
    questions: async (organizationId) => {
      const config = await readStored(service, serviceDb(), organizationId)
      return config ? service.questions(config) : []
    },
    providers: (rows) => Object.assign({}, ...readRows(service, rows).map((one) => service.providers?.(one))),
  }
}

const senders = { twilio: partsOf(twilio), resend: partsOf(resend) } satisfies Record<SenderType, Parts>
const services: Record<ServiceType, Parts> = { ai: partsOf(ai), ...senders }

/** Questions about the stored settings of a service, enabled or not; none when a field is missing. @throws as readStored. */
export const questionsOf = (type: ServiceType, organizationId: string): Promise<Question[]> =>
  services[type].questions(organizationId)

/**
 * The providers of the organization's enabled integrations, in one read; a channel without one is absent. Of two for one
 * channel the first of SENDER_TYPES sends.
 * @throws Error when a stored secret cannot be decrypted; DatabaseError.
 */
export async function enabledProviders(db: Db, organizationId: string): Promise<Providers> {
  const rows = await enabledRows(db, SENDER_TYPES, organizationId)
  const found = SENDER_TYPES.map((type) => {
    const providers = services[type].providers(rows.filter((row) => row.integration_type === type))
    return Object.fromEntries(
      // Reports are recorded under the name of the type.
      Object.entries(providers).map(([channel, one]) => [
        channel,
        { ...one, name: type, isIntegration: true },
      ]),
    )
  })
  return Object.assign({}, ...found.toReversed())
}
