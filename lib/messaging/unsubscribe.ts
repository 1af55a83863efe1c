import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { type Recipient, suppress, unsuppress } from './suppress'
import { recipientOf } from './unsubscribe-keys'

const subscriptionSchema = z
  .object({ organization_name: z.string(), suppressed_by: z.string().nullable() })
  .nullable()

/** Whether somebody gets marketing messages; `blocked`: for a reason that is not theirs to undo here. */
export interface Subscription {
  recipient: Recipient
  organizationName: string
  state: 'subscribed' | 'unsubscribed' | 'blocked'
}

/** What a link's token is about; null when it is none of ours, or the organization is gone. Changes nothing. */
export async function readSubscription(token: string): Promise<Subscription | null> {
  const recipient = await recipientOf(token)
  if (!recipient) return null
  const row = await readRow(recipient)
  return row && { recipient, organizationName: row.organization_name, state: stateOf(row.suppressed_by) }
}

/** Why the address is not written to; null when it may be. */
export async function suppressedBy(recipient: Recipient): Promise<string | null> {
  return (await readRow(recipient))?.suppressed_by ?? null
}

async function readRow({ organizationId, channel, address }: Recipient) {
  const parameters = { p_organization: organizationId, p_channel: channel, p_address: address }
  return subscriptionSchema.parse(unwrap(await serviceDb().rpc('subscription_of', parameters)))
}

function stateOf(reason: string | null): Subscription['state'] {
  if (reason === null) return 'subscribed'
  return reason === 'unsubscribe' ? 'unsubscribed' : 'blocked'
}

/**
 * Unsubscribes the token's address, or undoes that; either may be repeated.
 * @throws HttpError 404 for a token that is none of ours.
 */
export async function changeSubscription(token: string, action: 'unsubscribe' | 'undo'): Promise<void> {
  const subscription = await readSubscription(token)
  if (!subscription) throw new HttpError(404, { error: 'Not found' })
  const { recipient } = subscription
  if (action === 'undo') await unsuppress(recipient, ['unsubscribe'])
  else await suppress(recipient, [recipient.address], 'unsubscribe')
}
