import 'server-only'
import { z } from 'zod'
import type { MediaKind } from '@/lib/conversations/media'
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

/** A message of a guest or a stranger from a provider. */
export interface InboundText {
  organizationId: string
  /** The provider's id of the message; each id is handled once. */
  id: string
  channel: 'sms' | 'whatsapp'
  /** In E.164; null for a WhatsApp user without a visible number. */
  phone: string | null
  whatsappId: string | null
  /** The name that a WhatsApp user gave themselves. */
  name: string | null
  /** The provider's id of our message that it quotes. */
  answers: string | null
  text: string
  /** What came with the text, or instead of one. */
  media: MediaKind | null
  /** The id of the pressed quick-reply button, from the template. */
  button: string | null
  /** An opt-out or opt-in, which record_inbound has applied: it is only noted in a conversation that is there. */
  wish: 'stop' | 'start' | null
}

const SEND_MS = 8000
/** What is understood, and what tickets quote. */
const MAX_ANSWER = 500
const MAX_TEXT = 4096
const MAX_NAME = 120
const outcomeSchema = z.object({ outcome: z.string() })

/**
 * Handles a message to us (take_text): a clear answer to a confirmation, or to the offer of a freed table, marks or
 * books the reservation and gets a reply. Any other opens or continues a conversation and, once a day, a ticket. If the
 * provider does not accept the reply in 8 seconds, the next run of the jobs sends it.
 * @throws DatabaseError; the provider may then send it again.
 */
export async function takeText(inbound: InboundText, now = new Date()): Promise<void> {
  const { text, button, organizationId } = inbound
  const { intent, language } = button === null ? understandReply(text) : understandButton(button, text)
  const { id, channel, answers, phone, media, wish } = inbound
  const parameters = {
    p_organization: organizationId,
    p_text: {
      ...{ id, channel, answers, intent, language, phone, whatsapp_id: inbound.whatsappId, media, wish },
      name: stored(inbound.name ?? '', MAX_NAME),
      text: stored(text, MAX_ANSWER),
      full: stored(text, MAX_TEXT),
    },
    p_words: ticketWords,
    p_at: now.toISOString(),
  }
  const { outcome } = outcomeSchema.parse(unwrap(await serviceDb().rpc('take_text', parameters)))
  if (['accepted', 'gone', 'confirmed', 'cancelled'].includes(outcome)) await sendAnswer(inbound, now)
  if (['declined', 'gone', 'cancelled'].includes(outcome)) offerTablesSoon(organizationId)
}

/** The beginning of a text, as the database takes it. */
const stored = (text: string, most: number) => clean(text.slice(0, most).toWellFormed().replaceAll('\0', ''))

/** The reply is queued. A failure to send it now must not make the provider deliver the guest's message again. */
async function sendAnswer({ organizationId, channel }: InboundText, now: Date): Promise<void> {
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
