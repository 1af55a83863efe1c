import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { withAllergies, withItsAllergies } from '@/lib/customers/allergies'
import { personName } from '@/lib/customers/person-name'
import { DAY_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { pageOf } from '@/lib/http/cursor'
import { notFoundError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor, storedInstant } from '@/lib/http/instant'
import { CHANNELS, type Channel } from '@/lib/messaging/channels'
import { providersFor } from '@/lib/messaging/providers'
import type { ConversationsQuery } from './filters'
import { WHATSAPP_HOURS } from './limits'
import {
  type Conversation,
  type ConversationWithTexts,
  conversationSchema,
  conversationTextSchema,
  conversationWithTexts,
} from './schema'

const HOUR_MS = DAY_MS / 24
const TEXTS = 100
const names = {
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  sender_name: z.string().nullable(),
  last_inbound_at: storedInstant,
}
const worked = { allergies: true, customer_name: true, can_reply_until: true } as const
const rowSchema = conversationSchema.omit(worked).extend(names)
const foundSchema = conversationWithTexts
  .omit({ ...worked, reply_obstacle: true, earlier_cursor: true })
  .extend({ ...names, obstacle: conversationWithTexts.shape.reply_obstacle })
  .extend({ texts: z.array(conversationTextSchema) })

/** The rows' names and times, as the API has them. */
function shown<Row extends z.output<typeof rowSchema> | z.output<typeof foundSchema>>(row: Row) {
  const { first_name, last_name, sender_name, last_inbound_at, ...rest } = row
  const until = new Date(new Date(last_inbound_at).getTime() + WHATSAPP_HOURS * HOUR_MS)
  return {
    ...rest,
    customer_name: personName({ first_name, last_name }) ?? sender_name,
    can_reply_until: row.channel === 'whatsapp' ? until.toISOString() : null,
  }
}

/**
 * A keyset page of the conversations, the latest first; empty without customer access.
 * @throws HttpError 400 for an invalid cursor.
 */
export async function listConversations(
  { db }: Pick<Session, 'db'>,
  { unread, customer_id, cursor, limit = 50 }: Partial<ConversationsQuery>,
): Promise<{ data: Conversation[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const parameters = {
    p_unread: unread && unread === 'true',
    p_customer: customer_id,
    p_before: after?.key,
    p_before_id: after?.id,
    p_limit: limit + 1,
  }
  const rows = z.array(rowSchema).parse(unwrap(await db.rpc('list_conversations', parameters)))
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.last_at, last.id))
  return { ...page, data: await withAllergies({ db }, page.data.map(shown)) }
}

/** The channels by which the organization can send. */
export async function openChannels(organizationId: string): Promise<Channel[]> {
  const providers = await providersFor(serviceDb(), organizationId)
  return CHANNELS.filter((channel) => providers[channel])
}

/**
 * A conversation with its latest texts, or those before a cursor, the earliest first.
 * @throws HttpError 404; 400 for an invalid cursor.
 */
export async function getConversation(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
  { cursor, now = new Date() }: { cursor?: string; now?: Date } = {},
): Promise<ConversationWithTexts> {
  const before = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const parameters = {
    ...{ p_id: id, p_channels: await openChannels(organization.id), p_now: now.toISOString() },
    ...{ p_before: before?.key, p_before_id: before?.id, p_limit: TEXTS + 1 },
  }
  const found = foundSchema.nullable().parse(unwrap(await db.rpc('conversation', parameters)))
  if (!found) throw notFoundError()
  const { obstacle, texts, ...rest } = shown(found)
  const page = pageOf(texts, TEXTS, (last) => encodeInstantCursor(last.at, last.id))
  return withItsAllergies(
    { db },
    {
      ...rest,
      reply_obstacle: obstacle,
      texts: page.data.toReversed(),
      earlier_cursor: page.next_cursor,
    },
  )
}

/** The number of conversations with unread texts. */
export async function countUnread({
  db,
  organization,
}: Pick<Session, 'db' | 'organization'>): Promise<number> {
  const found = await db
    .from('conversations')
    .select('id', { count: 'exact', head: true })
    .eq('organization_id', organization.id)
    .gt('unread', 0)
  unwrap(found)
  return found.count ?? 0
}
