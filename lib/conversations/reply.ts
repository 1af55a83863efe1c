import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { notFoundError, refuse } from '@/lib/http/errors'
import { storedInstant } from '@/lib/http/instant'
import { clockFrom } from '@/lib/jobs/run-job'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'
import { OBSTACLE_ERRORS } from './obstacles'
import { openChannels } from './reads'
import type { ConversationReply, conversationReplySchema } from './schema'

const SEND_MS = 15_000

const outcomeSchema = z.object({
  outcome: z.string(),
  id: z.string().optional(),
  channel: z.enum(['sms', 'whatsapp']).optional(),
  /** The database's time: it may be ahead of the app's. */
  at: storedInstant.optional(),
})

/**
 * Writes back to the person of a conversation, by its channel, and marks it as read. It is sent at once; if the provider
 * does not accept it in 15 seconds, the next run of the jobs sends it, not later than a day after.
 * @returns the id of the text in the conversation
 * @throws HttpError 404; 409 when they said no, the address bounced, WhatsApp’s 24 hours are over, or the channel has no
 * provider.
 */
export async function replyToConversation(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
  { text }: ConversationReply,
  now = new Date(),
): Promise<z.infer<typeof conversationReplySchema>> {
  const organizationId = session.organization.id
  const parameters = {
    ...{ p_id: id, p_text: text, p_channels: await openChannels(organizationId) },
    p_now: now.toISOString(),
  }
  const answer = outcomeSchema.parse(unwrap(await session.db.rpc('reply_to_conversation', parameters)))
  refuse(answer.outcome, OBSTACLE_ERRORS)
  const { channel, at } = answer
  if (!channel || !answer.id) throw notFoundError()
  const db = serviceDb()
  const sending = {
    ...{ db, organizationId, providers: await providersFor(db, organizationId) },
    ...{ now: clockFrom(new Date(at ?? now)), signal: AbortSignal.timeout(SEND_MS) },
  }
  await drain({ ...sending, notices: true, channels: [channel] })
  return { id: answer.id, conversation_id: id, channel }
}

/**
 * Marks the texts of a conversation as read, for everybody.
 * @throws HttpError 404.
 */
export async function markConversationRead({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('mark_conversation_read', { p_id: id }))) throw notFoundError()
}
