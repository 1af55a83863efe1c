import { useTranslations } from 'next-intl'
import { Mark } from '@/components/ui/mark'
import type { AssistantContext } from '@/lib/assistant/context'
import type { Permission } from '@/lib/permissions'
import classes from './suggested-questions.module.css'

interface SuggestedQuestionsProps {
  suggestions: readonly Suggestion[]
  onChoose: (question: string) => void
}

/** The questions to start with. */
export function SuggestedQuestions({ suggestions, onChoose }: SuggestedQuestionsProps) {
  const t = useTranslations('client.assistant')
  return (
    <section className={classes.intro} aria-label={t('suggestions')}>
      <Mark size={40} />
      <h2 className={classes.title}>{t('greeting')}</h2>
      <p className={classes.text}>{t('abilities')}</p>
      <ul className={classes.list}>
        {suggestions.map(({ question, reason }) => (
          <li key={question}>
            <button type="button" className={classes.card} onClick={() => onChoose(question)}>
              <span className={classes.question}>{question}</span>
              <span className={classes.reason}>{reason}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A suggested question, and the figure behind it. */
export interface Suggestion {
  question: string
  reason: string
}

const MAX_SUGGESTIONS = 4

/** The questions that the current figures suggest, for these permissions; four at most. */
export function suggestionsFor(
  context: AssistantContext,
  can: (permission: Permission) => boolean,
  t: ReturnType<typeof useTranslations<'assistant.suggestions'>>,
): Suggestion[] {
  const { today, week, inactive_vips, locations } = context
  const found: Suggestion[] = []
  const suggest = (question: string, reason: string) => found.push({ question, reason })

  if (today.total > 0) {
    const counts = { reservations: today.total, covers: today.covers }
    suggest(t('service.question'), t('service.reason', counts))
  }
  const arrival = can('canAccessOperaciones') ? nextArrival(context) : undefined
  if (arrival?.customer_name) {
    const { customer_name: name, time, party_size: count, location } = arrival
    suggest(t('arrival.question', { name, time }), t('arrival.reason', { count, location }))
  }
  if (today.vip > 0 && can('canAccessOperaciones'))
    suggest(t('vip.question'), t('vip.reason', { count: today.vip }))
  if (inactive_vips.count > 0 && can('canAccessClientes'))
    suggest(t('inactive.question'), t('inactive.reason', { count: inactive_vips.count }))
  if (locations.length > 1 && week.reservations > 0)
    suggest(t('week.question'), t('week.reason', { count: week.reservations }))
  if (found.length === 0) suggest(t('quiet.question'), t('quiet.reason'))
  return found.slice(0, MAX_SUGGESTIONS)
}

/** The next arrival of the current service. */
function nextArrival({ upcoming, locations }: AssistantContext) {
  const days = new Map(locations.map(({ name, service_date }) => [name, service_date]))
  return upcoming.find((party) => party.customer_name && days.get(party.location) === party.date)
}
