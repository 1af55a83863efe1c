import { BOUND, type Cast, NORTE, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { NOON } from '../fill'

const STRANGER: Who[] = ['stranger']
/** Without the right to read customers. */
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion', 'sala']
const NOWHERE = '00000000-0000-4000-8000-000000000000'

export const feedbackTables: Record<string, TableCase> = {
  feedback: {
    keys: ['words'],
    reads: reads([NORTE, ['Retiro', 'Sol']], [BOUND, ['Retiro']], [IN_THE_DARK, []], [STRANGER, ['Triana']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      location_id: home === 'Norte' ? ids.Sol : ids.Triana,
      reservation_id: ids['Norte unanswered'],
      score: 1,
      words: 'Nueva',
      language: 'es',
      answered_at: NOON,
    }),
    change: () => ({ score: 5 }),
  },
}

/** `Sol: 1` is a location and its answers. */
function counts(answer: unknown, { nameOf }: Cast): string[] {
  const rows = answer as { location_id: string; answers: number }[]
  return rows
    .filter((row) => row.answers > 0)
    .map((row) => `${nameOf(row.location_id)}: ${row.answers}`)
    .sort()
}

const byLocation = answers<unknown>(
  [],
  [NORTE, ['Retiro: 1', 'Sol: 1']],
  [BOUND, ['Retiro: 1']],
  [IN_THE_DARK, []],
  [STRANGER, ['Triana: 1']],
)

export const feedbackFunctions: Record<string, FunctionCase> = {
  feedback_trend: { body: () => ({ p_now: '2026-11-22T12:00:00Z' }), shape: counts, answers: byLocation },
  feedback_scores: {
    body: () => ({ p_from: '2026-11-01T00:00:00Z', p_to: '2026-12-01T00:00:00Z' }),
    shape: counts,
    answers: byLocation,
  },
  // What they do is in tests/api/feedback.test.ts.
  reply_to_feedback: {
    body: () => ({
      p_feedback: NOWHERE,
      p_reply: 'Gracias',
      p_subject: 'Tu visita',
      p_channels: ['sms'],
      p_now: NOON,
    }),
    shape: (answer) => answer,
    answers: answers<unknown>({ outcome: 'not_found' }),
  },
  feedback_survey: {
    body: () => ({ p_message: NOWHERE, p_now: NOON }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  save_survey_language: {
    body: () => ({ p_message: NOWHERE, p_language: 'ca' }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  save_feedback: {
    body: () => ({
      p_message: NOWHERE,
      p_score: 5,
      p_words: '',
      p_language: 'es',
      p_ticket_words: {},
      p_now: NOON,
    }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
}
