import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { storedInstant } from '@/lib/http/instant'
import { CHANNELS, type Channel } from '@/lib/messaging/schema'
import type { Customer } from './schema'

const suppressionSchema = z.object({
  channel: z.enum(CHANNELS),
  address: z.string(),
  reason: z.enum(['unsubscribe', 'stop', 'bounce', 'complaint', 'manual']),
  created_at: storedInstant,
})
const consentSchema = z.object({ consent_source: z.enum(['existing_customer']), consent_at: storedInstant })

/** Whether a customer may be written to by a channel: the address, and why it must not be used. */
export interface Reach {
  channel: Channel
  address: string | null
  suppressed: { reason: z.infer<typeof suppressionSchema>['reason']; at: string } | null
}

/** By which channels a customer may be written to and since when they agree; for someone who may read suppressions. */
export async function customerReach(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { id, email, phone, whatsapp_id: whatsappId }: Pick<Customer, 'id' | 'email' | 'phone' | 'whatsapp_id'>,
): Promise<{ channels: Reach[]; consent: z.infer<typeof consentSchema> }> {
  const addresses = [email, phone, whatsappId].filter((address) => address !== null)
  const [suppressions, consent] = await Promise.all([
    db
      .from('suppressions')
      .select('channel, address, reason, created_at')
      .eq('organization_id', organization.id)
      .in('address', addresses.length > 0 ? addresses : ['']),
    db.from('customers').select('consent_source, consent_at').eq('id', id).single(),
  ])
  const rows = z.array(suppressionSchema).parse(unwrap(suppressions))
  const channels = CHANNELS.map((channel) => {
    const addresses = { email: [email], sms: [phone], whatsapp: [phone, whatsappId] }[channel]
    const address = addresses.find((each) => each !== null) ?? null
    const found = rows.find((row) => row.channel === channel && addresses.includes(row.address))
    return { channel, address, suppressed: found ? { reason: found.reason, at: found.created_at } : null }
  })
  return { channels, consent: consentSchema.parse(unwrap(consent)) }
}
