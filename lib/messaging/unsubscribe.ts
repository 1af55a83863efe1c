import 'server-only'
import { z } from 'zod'
import { storedForms } from '@/lib/contact/email'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { readForm } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import type { Locale } from '@/lib/i18n/locales'
import { withLinkKeys } from './link-keys'
import { unsubscribeForm } from './operations'
import { CHANNELS, type Recipient } from './schema'
import { idOfCode } from './short-link'
import { openUnsubscribeToken, unsubscribeToken } from './unsubscribe-token'

const subscriptionSchema = z
  .object({ organization_name: z.string(), suppressed_by: z.string().nullable() })
  .nullable()

/** Whether an address gets marketing messages; `blocked`: not, for a reason that the link cannot undo. */
export interface Subscription {
  recipient: Recipient
  organizationName: string
  state: 'subscribed' | 'unsubscribed' | 'blocked'
}

/** The subscription of a link's token; null for an invalid token, or when the organization is gone. Changes nothing. */
export async function readSubscription(token: string): Promise<Subscription | null> {
  const recipient = await recipientOf(token)
  if (!recipient) return null
  const row = await readRow(recipient)
  return row && { recipient, organizationName: row.organization_name, state: stateOf(row.suppressed_by) }
}

/** The reason why the address gets no messages; null when it does. */
export async function suppressedBy(recipient: Recipient): Promise<string | null> {
  return (await readRow(recipient))?.suppressed_by ?? null
}

/** The address of an older link may be in another form than the one that is stored now, which comes first. */
const formsOf = ({ channel, address }: Recipient): string[] =>
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
 * Unsubscribes the token's address, a number from SMS and WhatsApp alike, or undoes that; either may be repeated.
 * @throws HttpError 404 for an invalid token.
 */
async function changeSubscription(token: string, action: 'unsubscribe' | 'undo'): Promise<void> {
  const subscription = await readSubscription(token)
  if (!subscription) throw new HttpError('NOT_FOUND')
  const { recipient } = subscription
  for (const each of asOneAddress(recipient)) {
    const addresses = formsOf(each)
    if (action === 'unsubscribe') await suppress(each, addresses, 'unsubscribe')
    else for (const address of addresses) await unsuppress({ ...each, address }, ['unsubscribe'])
  }
}

/**
 * Handles the form that a click or a mail program posts to an unsubscribe link.
 * @throws HttpError 404 for an invalid token; 400, 413 or 415 for a malformed form.
 */
export async function postUnsubscribe(
  request: Request,
  token: string,
): Promise<Response | { success: true }> {
  const form = unsubscribeForm.safeParse(Object.fromEntries(await readForm(request)))
  if (!form.success) throw new HttpError('MALFORMED_FORM')
  const { action, language } = form.data
  await changeSubscription(token, action ?? 'unsubscribe')
  if (!action) return { success: true }
  return new Response(null, { status: 303, headers: { Location: subscriptionHref(token, language) } })
}

/** The address of a link's page, in a language. */
export const subscriptionHref = (token: string, language?: Locale): string =>
  `/u/${token}${language ? `?lang=${language}` : ''}`

/** The recipient of an unsubscribe link, also of one sent under a former SECRETS_KEY; null for an invalid token. */
const recipientOf = (token: string): Promise<Recipient | null> => withLinkKeys(token, openUnsubscribeToken)

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

/** Allows messages to the address again, if one of these was the reason to stop them. */
async function unsuppress(
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

/** The unsubscribe link: GET shows a page, POST unsubscribes; null while the app's public address is unknown. */
export function unsubscribeUrl(recipient: Recipient): string | null {
  const { PUBLIC_URL, SECRETS_KEY } = env()
  return PUBLIC_URL ? `${PUBLIC_URL}/u/${unsubscribeToken(recipient, SECRETS_KEY)}` : null
}

const sentSchema = z
  .object({ organization_id: z.string(), channel: z.enum(CHANNELS), recipient: z.string() })
  .nullable()

/** The token of the unsubscribe link of the message that a short link (`/b/{code}`) names; null when it names none. */
export async function tokenOfMessage(code: string): Promise<string | null> {
  const id = idOfCode(code)
  if (id === null) return null
  const query = serviceDb().from('messages').select('organization_id, channel, recipient')
  const found = sentSchema.safeParse(unwrap(await query.match({ id, kind: 'marketing' }).maybeSingle())).data
  if (!found) return null
  const { organization_id, channel, recipient } = found
  return unsubscribeToken({ organizationId: organization_id, channel, address: recipient }, env().SECRETS_KEY)
}

/** The e-mail headers for one-click unsubscribing (RFC 8058), for `content.headers`. */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
