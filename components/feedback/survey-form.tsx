import { Button } from '@mantine/core'
import { IconStar } from '@tabler/icons-react'
import { getLocale, getTranslations } from 'next-intl/server'
import { MAX_WORDS } from '@/lib/feedback/limits'
import { SCORES } from '@/lib/feedback/schema'
import { surveyHref } from '@/lib/feedback/survey'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import classes from './survey.module.css'

interface SurveyFormProps {
  token: string
  /** The earlier answer. */
  score: number | null
  chosen: GuestLanguage | null
}

/** Five stars and a text: a plain form that works without scripts. Earlier words are not shown, only kept. */
export async function SurveyForm({ token, score, chosen }: SurveyFormProps) {
  const t = await getTranslations('survey')
  return (
    <form method="post" action={surveyHref(token, chosen)} className={classes.form}>
      <input type="hidden" name="language" value={await getLocale()} />
      {/* Only a choice of the guest's becomes their language; the page may only have guessed the other one. */}
      {chosen ? <input type="hidden" name="guest_language" value={chosen} /> : null}
      <fieldset className={classes.scores}>
        <legend>{t('score')}</legend>
        <div className={classes.stars}>
          {SCORES.map((each) => (
            <label key={each} className={classes.star}>
              <input type="radio" name="score" value={each} defaultChecked={score === each} required />
              <IconStar size={34} stroke={1.5} aria-hidden />
              <span className={classes.name}>{t('stars', { count: each })}</span>
            </label>
          ))}
        </div>
        <p className={classes.ends} aria-hidden="true">
          <span>{t('worst')}</span>
          <span>{t('best')}</span>
        </p>
      </fieldset>
      <label className={classes.words}>
        <span>{t('words')}</span>
        <textarea name="words" rows={4} maxLength={MAX_WORDS} />
        <small>{score === null ? t('wordsHint') : t('wordsKept')}</small>
      </label>
      <Button type="submit" fullWidth>
        {t('send')}
      </Button>
    </form>
  )
}
