import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Channel } from './schema'

/** An address of an organization's people, by a channel. */
export interface Recipient {
  organizationId: string
  channel: Channel
  /** E-mail in lower case, phone in E.164, or the id of a WhatsApp user who shows no number. */
  address: string
}

/** Why an address is not written to; `lib/messaging` gives all but `manual`. */
export type SuppressionReason = 'unsubscribe' | 'stop' | 'bounce' | 'complaint'

/** Stops messages to addresses; a stronger reason replaces a weaker one (unsubscribe < stop < bounce, complaint). */
export async function suppress(
  { organizationId, channel }: Omit<Recipient, 'address'>,
  addresses: string[],
  reason: SuppressionReason,
): Promise<void> {
  if (addresses.length === 0) return
  const parameters = {
    p_organization: organizationId,
    p_channel: channel,
    p_addresses: addresses,
    p_reason: reason,
  }
  unwrap(await serviceDb().rpc('suppress_addresses', parameters))
}

/** Lets messages go to the address again, if one of these was the reason they did not. */
export async function unsuppress(
  { organizationId, channel, address }: Recipient,
  reasons: SuppressionReason[],
): Promise<void> {
  const parameters = {
    p_organization: organizationId,
    p_channel: channel,
    p_address: address,
    p_reasons: reasons,
  }
  unwrap(await serviceDb().rpc('unsuppress_address', parameters))
}
