'use client'
import { useTranslations } from 'next-intl'
import { smsLength } from './sms-length'
import classes from './whom-step.module.css'

const SHOWN = 5

/** How many SMS a text takes, and what makes it take more. */
export function SmsCount({ text }: { text: string }) {
  const t = useTranslations('client.automationEditor.sms')
  const { characters, segments, foreign } = smsLength(text)
  const letters = foreign.slice(0, SHOWN).map((letter) => `«${letter}»`)
  return (
    <p className={classes.hint}>
      {t('count', { characters, segments })}
      {letters.length > 0 ? ` ${t('unicode', { characters: letters.join(', ') })}` : ''}
    </p>
  )
}
