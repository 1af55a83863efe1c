import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import type { wishesForm } from './operations'
import { CHANNELS } from './schema'
import { formsOf, type Link, messageOf, readSubscription, type Subscription } from './unsubscribe'

const preferencesSchema = z.object({
  known: z.boolean(),
  channels: z.array(z.object({ channel: z.enum(CHANNELS), state: z.enum(['on', 'off', 'closed']) })),
  frequency: z.enum(['all', 'monthly']),
  brands: z.array(z.object({ id: z.string(), name: z.string(), wanted: z.boolean() })),
  language: z.enum(GUEST_LANGUAGES).nullable(),
})

/** What the guests of a link have chosen; of several with one address the strictest wish. */
export interface Preferences extends z.infer<typeof preferencesSchema> {
  subscription: Subscription
}

/** The preferences behind a link's token; null as `readSubscription`. Changes nothing. */
export async function readPreferences(token: string): Promise<Preferences | null> {
  const subscription = await readSubscription(token)
  if (!subscription) return null
  const found = unwrap(await serviceDb().rpc('guest_preferences', ofLink(subscription)))
  return found === null ? null : { ...preferencesSchema.parse(found), subscription }
}

const ofLink = ({ recipient }: Subscription) => ({
  p_organization: recipient.organizationId,
  p_channel: recipient.channel,
  p_addresses: formsOf(recipient),
})

/**
 * Saves what a guest chose; what is absent stays.
 * @throws HttpError 404 for an invalid token; 400 for a brand that is not the group's, and then nothing is saved.
 */
export async function savePreferences(
  { token, message }: Link,
  { guest_language, ...wishes }: z.infer<typeof wishesForm>,
): Promise<void> {
  const subscription = await readSubscription(token)
  if (!subscription) throw new HttpError('NOT_FOUND')
  const parameters = {
    ...ofLink(subscription),
    p_wishes: { ...wishes, ...(guest_language && { language: guest_language }) },
    p_message: messageOf(message),
  }
  const outcome = unwrap(await serviceDb().rpc('save_guest_preferences', parameters))
  if (outcome === 'unknown_brand') throw new HttpError('MALFORMED_FORM')
}
