import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { type EngagementEvent, summarizeEngagement } from './engagement'

const MAX_TRIES = 20

const takenSchema = z
  .object({
    message_id: z.string(),
    delivered_at: z.string().nullable(),
    events: z.array(
      z.object({
        receipt: z.string(),
        kind: z.enum(['open', 'click']),
        link: z.string().nullable(),
        agent: z.string().nullable(),
        at: z.string(),
      }),
    ),
  })
  .nullable()

/** An e-mail of Resend: by its id there and, if known, ours. */
interface Email {
  organizationId: string
  providerId: string
  messageId: string | null
}

/**
 * Records an open or click, and judges all of the message's again; without an event it only judges, as after a delivery.
 * Safe to repeat. Nothing happens for unknown messages, those to staff, and those sent more than 30 days ago.
 * @throws Error when other events keep coming in between; the provider sends the event again.
 */
export async function recordEngagement(
  { organizationId, providerId, messageId }: Email,
  event: EngagementEvent | null,
): Promise<void> {
  const parameters = {
    p_organization: organizationId,
    p_provider_id: providerId,
    p_message: messageId as string,
    p_event: event === null ? undefined : { ...event },
  }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const taken = takenSchema.parse(unwrap(await serviceDb().rpc('take_engagement', parameters)))
    if (!taken) return
    const rows = summarizeEngagement(taken.events, taken.delivered_at)
    const verdict = {
      p_message: taken.message_id,
      p_seen: taken.events.map(({ receipt }) => receipt),
      p_delivered: taken.delivered_at as string,
      p_rows: rows.map((row) => ({ ...row })),
    }
    if (unwrap(await serviceDb().rpc('save_engagement', verdict))) return
  }
  throw new Error('The events of a message kept changing')
}
