import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { clockFrom } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'
import { clean } from '@/lib/text/clean'
import ticketWords from '@/lib/tickets/guest-ticket-words.json'
import { offerTablesSoon } from '@/lib/waitlist/offer-tables'
import { understandButton, understandReply } from './understand'

/** A guest's message from a provider. */
export interface GuestReply {
  organizationId: string
  /** The provider's id of the message; each id is handled once. */
  id: string
  channel: 'sms' | 'whatsapp'
  /** In E.164; null for a WhatsApp user without a visible number. */
  phone: string | null
  whatsappId: string | null
  /** The provider's id of our message that it quotes. */
  answers: string | null
  text: string
  /** The id of the pressed quick-reply button, from the template. */
  button: string | null
}

const SEND_MS = 8000
const MAX_TEXT = 500
const outcomeSchema = z.object({ outcome: z.string() })

/**
 * Handles a guest's answer to a confirmation, or to the offer of a freed table: a clear answer marks or books the
 * reservation and gets a reply, any other opens a ticket (take_reply, take_offer_reply). If the provider does not accept the reply in 8 seconds, the next run of the jobs sends it.
 * @throws DatabaseError; the provider may then send it again.
 */
export async function takeReply(reply: GuestReply, now = new Date()): Promise<void> {
  const { text, button } = reply
  const { intent, language } = button === null ? understandReply(text) : understandButton(button, text)
  const parameters = {
    p_organization: reply.organizationId,
    p_reply: {
      ...{ id: reply.id, channel: reply.channel, answers: reply.answers, intent, language },
      phone: reply.phone,
      whatsapp_id: reply.whatsappId,
      text: clean(text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\0', '')),
    },
    p_at: now.toISOString(),
  }
  // A "1" may be about a confirmation or about a table that was offered: the last message to the guest decides.
  const offered = outcomeSchema.parse(
    unwrap(await serviceDb().rpc('take_offer_reply', { ...parameters, p_words: ticketWords.offer })),
  )
  if (offered.outcome === 'accepted' || offered.outcome === 'gone') await sendAnswer(reply, now)
  if (offered.outcome === 'declined' || offered.outcome === 'gone') offerTablesSoon(reply.organizationId)
  if (offered.outcome !== 'not_asked') return
  const { outcome } = outcomeSchema.parse(
    unwrap(await serviceDb().rpc('take_reply', { ...parameters, p_words: ticketWords.reply })),
  )
  if (outcome === 'confirmed' || outcome === 'cancelled') await sendAnswer(reply, now)
  if (outcome === 'cancelled') offerTablesSoon(reply.organizationId)
}

/** The reply is queued. A failure to send it now must not make the provider deliver the guest's message again. */
async function sendAnswer({ organizationId, channel }: GuestReply, now: Date): Promise<void> {
  const db = serviceDb()
  try {
    const providers = await providersFor(db, organizationId)
    const sending = {
      db,
      organizationId,
      providers,
      now: clockFrom(now),
      signal: AbortSignal.timeout(SEND_MS),
    }
    await drain({ ...sending, notices: true, channels: [channel] })
  } catch (err) {
    log().error({ err }, 'the answer to a guest waits for the next run')
  }
}
