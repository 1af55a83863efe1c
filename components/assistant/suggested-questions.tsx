import { useTranslations } from 'next-intl'
import { Mark } from '@/components/shell/mark'
import classes from './suggested-questions.module.css'
import type { Suggestion } from './suggestions'

interface SuggestedQuestionsProps {
  suggestions: readonly Suggestion[]
  onChoose: (question: string) => void
}

/** What to ask first, from the figures of the day. */
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
