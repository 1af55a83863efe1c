import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useQuestionText } from '@/components/reservations/use-questions'
import { placeName } from './board-model'
import classes from './dock.module.css'
import { isOfWaitlist, type Refused } from './tap-queue'

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
  const others = refused.filter(({ questions }) => !questions)
  const changed = others.filter((each) => reasonOf(each) === null)
  const unsaved = others.filter((each) => reasonOf(each) !== null)
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
            {each.tap.action === 'wait_seat' || each.tap.action === 'walk_in' ? (
              <p>{t(`refused.asked.${each.tap.action}`)}</p>
            ) : null}
          </div>
          <div className={classes.actions}>
            <Button variant="default" onClick={() => onForget(each)}>
              {t('leaveIt')}
            </Button>
            <Button onClick={() => onAgain(each)}>{t('doAnyway')}</Button>
          </div>
        </div>
      ))}
      {unsaved.map((each) => (
        <div key={each.tap.key} className={classes.refused} role="alert">
          <div>
            <p>
              <b>{nameOf(each)}</b>
            </p>
            <p>{t(`refused.${reasonOf(each) ?? 'malformed'}`, { typed: typedIn(each.tap) })}</p>
          </div>
          <div className={classes.actions}>
            <Button variant="default" onClick={() => onForget(each)}>
              {t('understood')}
            </Button>
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

type Reason = 'wait_seat' | 'wait_leave' | 'wait_return' | 'full' | 'gone' | 'malformed' | 'invalid'

/** Why a tap of the waitlist, or of a walk-in, did nothing; null for one of a reservation. */
function reasonOf({ tap, outcome }: Refused): Reason | null {
  const isNew = tap.action === 'walk_in' || tap.action === 'wait_join'
  if (!isNew && !isOfWaitlist(tap)) return null
  if (outcome === 'waitlist_full') return 'full'
  if (isNew) return 'malformed'
  if (outcome === 'not_found') return 'gone'
  return outcome === 'malformed' ? 'invalid' : tap.action
}

/** What was typed of a new party: the server has not kept it. */
function typedIn(tap: Refused['tap']): string {
  if (tap.action !== 'wait_join' && tap.action !== 'walk_in') return ''
  const said =
    tap.action === 'walk_in' ? [tap.customer_name, placeName(tap)] : [tap.name, tap.phone, tap.notes]
  return [tap.party_size, ...said].filter(Boolean).join(' · ')
}
