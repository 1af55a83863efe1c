import 'server-only'
import { z } from 'zod'
import { storedForms } from '@/lib/contact/email'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import type { Spoken } from '@/lib/guests/language'
import { HttpError } from '@/lib/http/errors'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'
import { isUuid } from '@/lib/uuid'
import { withLinkKeys } from './link-keys'
import { CHANNELS, type Recipient } from './schema'
import { idOfCode, shortCode } from './short-link'
import { openUnsubscribeToken, unsubscribeToken } from './unsubscribe-token'

const subscriptionSchema = z
  .object({
    organization_name: z.string(),
    suppressed_by: z.string().nullable(),
    language: z.enum(GUEST_LANGUAGES).nullable(),
    group_language: z.enum(GUEST_LANGUAGES),
  })
  .nullable()

/** Whether an address gets marketing messages; `blocked`: not, for a reason that the link cannot undo. */
export interface Subscription extends Spoken {
  recipient: Recipient
  organizationName: string
  state: 'subscribed' | 'unsubscribed' | 'blocked'
}

/** The subscription of a link's token; null for an invalid token, or when the organization is gone. Changes nothing. */
export async function readSubscription(token: string): Promise<Subscription | null> {
  const recipient = await recipientOf(token)
  if (!recipient) return null
  const row = await readRow(recipient)
  return (
    row && {
      ...{ recipient, organizationName: row.organization_name, state: stateOf(row.suppressed_by) },
      ...{ language: row.language, groupLanguage: row.group_language },
    }
  )
}

/** The reason why the address gets no messages; null when it does. */
export async function suppressedBy(recipient: Recipient): Promise<string | null> {
  return (await readRow(recipient))?.suppressed_by ?? null
}

/** The address of an older link may be in another form than the one that is stored now, which comes first. */
export const formsOf = ({ channel, address }: Recipient): string[] =>
  channel === 'email' ? [...new Set([...storedForms(address), address])] : [address]

/** SMS and WhatsApp to a number are one address: a no by the one is a no by the other. */
const asOneAddress = (recipient: Recipient): Recipient[] =>
  recipient.channel !== 'email' && recipient.address.startsWith('+')
    ? (['sms', 'whatsapp'] as const).map((channel) => ({ ...recipient, channel }))
    : [recipient]

async function readRow(recipient: Recipient) {
  const { organizationId, channel, address } = recipient
  const stored = formsOf(recipient)[0] ?? address
  const parameters = { p_organization: organizationId, p_channel: channel, p_address: stored }
  return subscriptionSchema.parse(unwrap(await serviceDb().rpc('subscription_of', parameters)))
}

function stateOf(reason: string | null): Subscription['state'] {
  if (reason === null) return 'subscribed'
  return reason === 'unsubscribe' ? 'unsubscribed' : 'blocked'
}

/**
 * Unsubscribes the token's address, a number from SMS and WhatsApp alike, or undoes that, and what was closed with it;
 * either may be repeated. The message that the link names is credited.
 * @throws HttpError 404 for an invalid token.
 */
export async function changeSubscription(
  { token, message }: Link,
  action: 'unsubscribe' | 'undo',
): Promise<void> {
  const subscription = await readSubscription(token)
  if (!subscription) throw new HttpError('NOT_FOUND')
  const { recipient } = subscription
  for (const each of asOneAddress(recipient)) {
    const parameters = {
      p_organization: each.organizationId,
      p_channel: each.channel,
      p_addresses: formsOf(each),
      p_undo: action === 'undo',
      p_message: messageOf(message),
    }
    unwrap(await serviceDb().rpc('change_subscription', parameters))
  }
}

/** What an unsubscribe link holds: its token, and the message that it came in, as its short code or id. */
export interface Link {
  token: string
  /** Absent in older links. */
  message?: string | undefined
}

/** The address of a link's page, in a language, with more in its query. */
export function subscriptionHref(
  { token, message }: Link,
  language?: GuestLanguage | null,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    ...(message ? { m: message } : {}),
    ...(language ? { lang: language } : {}),
    ...more,
  })
  return `/u/${token}${query.size > 0 ? `?${query}` : ''}`
}

/** The recipient of an unsubscribe link, also of one sent under a former SECRETS_KEY; null for an invalid token. */
export const recipientOf = (token: string): Promise<Recipient | null> =>
  withLinkKeys(token, openUnsubscribeToken)

/** The reasons why an address gets no messages; `lib/messaging` sets all except `manual`. */
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

/**
 * The unsubscribe link: GET shows a page, POST unsubscribes; null while the app's public address is unknown.
 * @param messageId the message that it stands in, which is credited with the opt-out; absent in a test message
 */
export function unsubscribeUrl(recipient: Recipient, messageId?: string): string | null {
  const { PUBLIC_URL, SECRETS_KEY } = env()
  if (!PUBLIC_URL) return null
  const token = unsubscribeToken(recipient, SECRETS_KEY)
  const message = messageId === undefined ? undefined : (shortCode(messageId) ?? messageId)
  return PUBLIC_URL + subscriptionHref({ token, message })
}

/** The message's id of a link; what was spoilt on its way names none. */
export const messageOf = (text = ''): string | undefined =>
  idOfCode(text) ?? (isUuid(text) ? text : undefined)

const sentSchema = z
  .object({ organization_id: z.string(), channel: z.enum(CHANNELS), recipient: z.string() })
  .nullable()

/**
 * The page of the unsubscribe link of the message that a short link (`/b/{code}`) names; null when it names none.
 * @param chosen the language that the short link was opened in
 */
export async function pageOfMessage(
  code: string,
  chosen: GuestLanguage | null = null,
): Promise<string | null> {
  const id = idOfCode(code)
  if (id === null) return null
  const query = serviceDb().from('messages').select('organization_id, channel, recipient')
  const found = sentSchema.safeParse(unwrap(await query.match({ id, kind: 'marketing' }).maybeSingle())).data
  if (!found) return null
  const { organization_id, channel, recipient } = found
  const to = { organizationId: organization_id, channel, address: recipient }
  return subscriptionHref({ token: unsubscribeToken(to, env().SECRETS_KEY), message: code }, chosen)
}

/** The e-mail headers for one-click unsubscribing (RFC 8058), for `content.headers`. */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
