import { IconClockOff, IconMessageHeart, IconStar } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { GuestLanguages } from '@/components/ui/guest-languages'
import { StatePage } from '@/components/ui/state-page'
import { type Survey, surveyHref } from '@/lib/feedback/survey'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { ReviewLinks } from './review-links'
import classes from './survey.module.css'
import { SurveyForm } from './survey-form'

interface SurveyPanelProps {
  token: string
  survey: Survey
  /** The language that the guest chose on the page. */
  chosen: GuestLanguage | null
}

/** The question, thanks for the answer, or why there is no question any more; and the other languages. */
export async function SurveyPanel({ token, survey, chosen }: SurveyPanelProps) {
  const t = await getTranslations('survey')
  const { state, firstName, locationName, score, reviewUrls } = survey
  const form = <SurveyForm token={token} score={score} chosen={chosen} />
  const values = { location: locationName, name: firstName }
  const asks = state === 'open' || state === 'example'
  const title = {
    open: () => t('open.title', values),
    example: () => t('example.title'),
    answered: () => t('answered.title'),
    closed: () => t('answered.title'),
    expired: () => t('expired.title'),
  }[state]()
  const text = {
    open: () => t(firstName ? 'open.textNamed' : 'open.text', values),
    example: () => t('example.text'),
    answered: () => t('answered.text', { ...values, score: score ?? 0 }),
    closed: () => t('closed.text', { ...values, score: score ?? 0 }),
    expired: () => t('expired.text', values),
  }[state]()
  const Picture = { open: IconStar, example: IconStar, answered: IconMessageHeart, closed: IconMessageHeart }
  return (
    <>
      <StatePage icon={state === 'expired' ? IconClockOff : Picture[state]} title={title} text={text}>
        {asks ? form : null}
        <ReviewLinks title={t('reviews')} urls={reviewUrls} />
        {state === 'answered' ? (
          <details className={classes.change}>
            <summary>{t('change')}</summary>
            {form}
          </details>
        ) : null}
      </StatePage>
      <GuestLanguages hrefOf={(each) => surveyHref(token, each)} />
    </>
  )
}
