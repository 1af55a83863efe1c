import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { clockFrom } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers'
import { understandButton, understandReply } from './understand'

/** A message of a guest, as a provider brings it. */
export interface GuestReply {
  organizationId: string
  /** The provider's id of it: the same one is taken once. */
  id: string
  channel: 'sms' | 'whatsapp'
  /** In E.164; null for a WhatsApp user who shows none. */
  phone: string | null
  whatsappId: string | null
  /** The provider's id of the message of ours that it quotes. */
  answers: string | null
  text: string
  /** Of a quick-reply button: the id that the template gave it. */
  button: string | null
}

const SEND_MS = 8000
const MAX_TEXT = 500
const outcomeSchema = z.object({ outcome: z.string() })

/**
 * Takes a message of a guest who was asked whether they come: a plain answer marks their reservation and is answered, any
 * other becomes a ticket (take_reply). What the provider does not take in 8 seconds the next run of the jobs sends.
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
      text: text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\0', ''),
    },
    p_at: now.toISOString(),
  }
  const { outcome } = outcomeSchema.parse(unwrap(await serviceDb().rpc('take_reply', parameters)))
  if (outcome === 'confirmed' || outcome === 'cancelled') await sendAnswer(reply, now)
}

/** The answer is queued: that it cannot go now must not make the provider send the guest's message again. */
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
