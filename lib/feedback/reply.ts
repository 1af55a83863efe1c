import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuse } from '@/lib/http/errors'
import { storedInstant } from '@/lib/http/instant'
import { clockFrom } from '@/lib/jobs/run-job'
import { CHANNELS } from '@/lib/messaging/channels'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'
import { getFeedback } from './reads'
import texts from './reply-texts.json'
import type { FeedbackReply } from './schema'

const SEND_MS = 15_000

const outcomeSchema = z.object({
  outcome: z.string(),
  channel: z.enum(CHANNELS).nullish(),
  /** The database's time: it may be ahead of the app's. */
  at: storedInstant.optional(),
})

/**
 * Writes back to the guest who answered a survey, once: by e-mail, else by WhatsApp to those who wrote in the last 24
 * hours, else by SMS. It is sent at once; if the provider does not accept it in 15 seconds, the next run of the jobs
 * sends it.
 * @returns the channel
 * @throws HttpError 404; 409 when it was answered before, or no channel reaches the guest.
 */
export async function replyToFeedback(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
  { reply }: FeedbackReply,
  now = new Date(),
): Promise<{ id: string; channel: (typeof CHANNELS)[number] | null }> {
  const { location, language } = await getFeedback(session, id)
  const service = serviceDb()
  const providers = await providersFor(service, session.organization.id)
  const parameters = {
    p_feedback: id,
    p_reply: reply,
    p_subject: texts[language].subject
      .replace('{location}', location ?? session.organization.name)
      .replace(/\p{Cc}+/gu, ' '),
    p_channels: CHANNELS.filter((channel) => providers[channel]),
    p_now: now.toISOString(),
  }
  const { outcome, channel, at } = outcomeSchema.parse(
    unwrap(await session.db.rpc('reply_to_feedback', parameters)),
  )
  refuse(outcome, { replied: 'ALREADY_REPLIED', unreachable: 'UNREACHABLE' })
  if (channel) {
    const signal = AbortSignal.timeout(SEND_MS)
    const sending = {
      organizationId: session.organization.id,
      now: clockFrom(new Date(at ?? now)),
      signal,
      providers,
    }
    await drain({ db: service, ...sending, notices: true, channels: [channel] })
  }
  return { id, channel: channel ?? null }
}
