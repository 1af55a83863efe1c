import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useQuestionText } from '@/components/reservations/use-questions'
import classes from './dock.module.css'
import type { Refused } from './tap-queue'

export interface RefusedTapsProps {
  refused: readonly Refused[]
  /** Takes a tap again, with yes to what it was asked. */
  onAgain: (refused: Refused) => void
  /** Forgets the one, or all whose reservation had changed. */
  onForget: (refused?: Refused) => void
}

/** The taps that did nothing: whose reservation had changed meanwhile, and each that asks something, with a yes. */
export function RefusedTaps({ refused, onAgain, onForget }: RefusedTapsProps) {
  const t = useTranslations('client.service')
  const question = useQuestionText()
  /** A tap in words, such as `Sentar: García`. */
  const nameOf = ({ tap, name }: Refused) =>
    t('refusedTap', { action: t(`actions.${tap.action}`), name: name ?? t('noName') })
  const asking = refused.filter(({ questions }) => questions)
  const changed = refused.filter(({ questions }) => !questions)
  return (
    <>
      {asking.map((each) => (
        <div key={each.tap.key} className={classes.refused} role="alert">
          <div>
            <p>
              <b>{nameOf(each)}</b>
            </p>
            {each.questions?.map((code) => (
              <p key={code}>{question(code, each.current)}</p>
            ))}
          </div>
          <div className={classes.actions}>
            <Button variant="default" onClick={() => onForget(each)}>
              {t('leaveIt')}
            </Button>
            <Button onClick={() => onAgain(each)}>{t('doAnyway')}</Button>
          </div>
        </div>
      ))}
      {changed.length > 0 ? (
        <div className={classes.refused} role="alert">
          <div>
            <p>{t('conflict', { count: changed.length })}</p>
            <ul>
              {changed.map((each) => (
                <li key={each.tap.key}>
                  {nameOf(each)}
                  {/* A note that was typed is not lost. */}
                  {'notes' in each.tap && each.tap.notes ? `: «${each.tap.notes}»` : null}
                </li>
              ))}
            </ul>
          </div>
          <div className={classes.actions}>
            <Button variant="default" onClick={() => onForget()}>
              {t('understood')}
            </Button>
          </div>
        </div>
      ) : null}
    </>
  )
}
