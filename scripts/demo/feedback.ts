import type { Score } from '../../lib/feedback/schema'
import { oneOf, share, whole } from './chance'
import { REPLIES, WORDS } from './feedback-words'
import type { Service } from './service-client'

const BATCH_ROWS = 1000

interface Asked {
  customer_id: string
  sent_at: string
  reservation: { id: string; location_id: string; visited: boolean | null } | null
}

/** The answers of some of the guests who got the message after their visit, most of them content. */
export async function seedFeedback(db: Service, organization_id: string): Promise<void> {
  const asked = await db
    .from('messages')
    .select(
      'customer_id, sent_at, reservation:reservations!messages_reservation_id_fkey(id, location_id, visited)',
    )
    .eq('organization_id', organization_id)
    .eq('purpose', 'post_visit')
    .eq('status', 'delivered')
    .limit(5000)
    .throwOnError()
  const rows = (asked.data as unknown as Asked[]).flatMap(({ customer_id, sent_at, reservation }) => {
    if (!reservation?.visited || share(reservation.id, 'answers') > 0.45) return []
    const { id, location_id } = reservation
    const score = scoreOf(id)
    const hasWords = share(id, 'words') < (score <= 2 ? 0.9 : 0.5)
    const answered_at = new Date(Date.parse(sent_at) + whole(id, 'answered', 3, 2000) * 60_000).toISOString()
    return {
      ...{ organization_id, location_id, customer_id, reservation_id: id, score, answered_at },
      words: hasWords ? oneOf(id, 'said', WORDS[score]) : null,
      language: 'es',
      // Their tickets were settled and tidied up long ago.
      ticket_opened_at: score <= 2 ? answered_at : null,
      // Staff write back to most who were not content and said why.
      ...(isBad(score) && hasWords && share(id, 'replied') < 0.7
        ? repliedTo(id, score, answered_at)
        : NO_REPLY),
    }
  })
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await db
      .from('feedback')
      .insert(rows.slice(from, from + BATCH_ROWS))
      .throwOnError()
}

type Bad = keyof typeof REPLIES
const isBad = (score: Score): score is Bad => score in REPLIES
const NO_REPLY = { reply: null, replied_by: null, replied_at: null }

/** The next morning at the latest. */
function repliedTo(visit: string, score: Bad, answeredAt: string) {
  const replied_at = new Date(Date.parse(answeredAt) + whole(visit, 'reply at', 20, 900) * 60_000)
  if (replied_at.getTime() > Date.now()) return NO_REPLY
  return {
    reply: oneOf(visit, 'reply', REPLIES[score]),
    replied_by: 'Óscar Benítez',
    replied_at: replied_at.toISOString(),
  }
}

function scoreOf(visit: string): Score {
  const luck = share(visit, 'stars')
  if (luck < 0.04) return 1
  if (luck < 0.1) return 2
  if (luck < 0.22) return 3
  return luck < 0.55 ? 4 : 5
}
