import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { DAY_MS, localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { PERIODS } from '@/lib/feedback/filters'
import { listFeedback } from '@/lib/feedback/reads'
import { type Feedback, SCORES, scoresSchema } from '@/lib/feedback/schema'
import { requiredText } from '@/lib/http/fields'
import { defineTool, type Found, locationNamed } from './tool'

const MAX_LISTED = 60

export const recentFeedback = defineTool({
  name: 'recent_feedback',
  description:
    'Qué dicen los clientes de sus visitas en los últimos días (1 a 5 estrellas y palabras), de todos los locales o de uno por su nombre. Las primeras filas cuentan las respuestas de cada local por estrellas; las demás son respuestas, la última primero. Para resumir: nombra los temas que se repiten y cuántas respuestas los mencionan.',
  permission: 'canAccessClientes',
  arguments: z.strictObject({
    days: z.enum(PERIODS).default('30'),
    location: requiredText(120).optional(),
    score: z.int().min(1).max(5).optional(),
  }),
  run: async (session, { days, location, score }, { limit, now }) => {
    const named = location ? await locationNamed(session, location) : undefined
    const period = {
      p_from: new Date(now.getTime() - Number(days) * DAY_MS).toISOString(),
      p_to: now.toISOString(),
      p_location: named?.id,
    }
    const [counts, page] = await Promise.all([
      session.db.rpc('feedback_scores', period),
      listFeedback(session, { location_id: named?.id, score, days, limit: Math.min(limit, MAX_LISTED) }, now),
    ])
    return {
      rows: [...countsOf(scoresSchema.parse(unwrap(counts))), ...page.data.map(rowIn(session))].slice(
        0,
        limit,
      ),
      more: page.next_cursor !== null,
      found: page.data.flatMap(foundOf),
    }
  },
})

/** One row a location: how many answers have each score. */
function countsOf(scores: z.output<typeof scoresSchema>): object[] {
  return [...Map.groupBy(scores, ({ location_id }) => location_id).values()].map((rows) => {
    const answers = rows.reduce((sum, row) => sum + row.answers, 0)
    const stars = rows.reduce((sum, row) => sum + row.answers * row.score, 0)
    return {
      location: rows[0]?.location ?? null,
      answers,
      with_words: rows.reduce((sum, row) => sum + row.with_words, 0),
      average: Math.round((stars / answers) * 100) / 100,
      by_score: Object.fromEntries(
        SCORES.map((score) => [score, rows.find((row) => row.score === score)?.answers ?? 0]),
      ),
    }
  })
}

const nameOf = ({ customer_name }: Feedback) => customer_name?.slice(0, 120) ?? ''

const rowIn =
  ({ organization }: Pick<Session, 'organization'>) =>
  (feedback: Feedback) => ({
    answered: localDate(new Date(feedback.answered_at), organization.timezone),
    location: feedback.location,
    score: feedback.score,
    words: feedback.words?.slice(0, 500) ?? null,
    customer_name: nameOf(feedback) || null,
  })

function foundOf(feedback: Feedback): Found[] {
  const name = nameOf(feedback)
  return feedback.customer_id && name
    ? [{ type: 'customer', id: feedback.customer_id, label: name, names: [name] }]
    : []
}
