'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { Refusal } from '@/components/forms/send'
import { Dialog } from '@/components/ui/dialog'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { shownName } from '@/lib/customers/person-name'
import { confirmed, type Question, type TakenBy } from '@/lib/reservations/questions'

/** What a person says about a booking that the API has asked about: fields of its body. */
export type Said = Readonly<Record<string, unknown>>

/**
 * The questions of saving a booking: whose it is, when its contact belongs to a guest of another name, and what is
 * unusual about it. `take` opens the questions of a refusal and tells whether there are any; the answer saves again,
 * with all answers so far.
 */
export function useQuestions(save: (said: Said) => void) {
  const t = useTranslations('client.booking.asks')
  const texts = useTranslations('client.form')
  const question = useQuestionText()
  const [asked, setAsked] = useState<Refusal | null>(null)
  const [said, setSaid] = useState<Said>({})

  /** @param given the answers that were sent with the request */
  function take(refusal: Refusal, given: Said = {}): boolean {
    const asks = refusal.code === 'CONTACT_OF_ANOTHER' || refusal.questions !== undefined
    setSaid(given)
    setAsked(asks ? refusal : null)
    return asks
  }
  function say(answer: Said): void {
    setAsked(null)
    save({ ...said, ...answer })
  }

  let node: ReactNode = null
  if (asked) {
    const { questions = [], candidates = [], current } = asked
    const isContact = asked.code === 'CONTACT_OF_ANOTHER'
    const close = () => setAsked(null)
    node = (
      <Dialog title={t(isContact ? 'whose' : 'anyway')} alert onClose={close}>
        <FormFields>
          {isContact ? (
            <>
              <p>{t('whoseText')}</p>
              {candidates.map(({ id, name }) => (
                <Button
                  key={id}
                  variant="default"
                  onClick={() => say({ link: 'existing', customer_id: id })}
                  styles={{ label: { whiteSpace: 'normal' } }}
                >
                  {t('existing', { name: name ?? t('noName') })}
                </Button>
              ))}
              <Button variant="default" onClick={() => say({ link: 'new', customer_id: undefined })}>
                {t('new')}
              </Button>
              <Button variant="default" onClick={() => say({ link: 'none', customer_id: undefined })}>
                {t('none')}
              </Button>
            </>
          ) : (
            <>
              {questions.map((code) => (
                <p key={code}>{question(code, current as TakenBy | undefined)}</p>
              ))}
              <p>{t('notYet')}</p>
            </>
          )}
        </FormFields>
        <FormActions>
          <Button variant="default" onClick={close} data-autofocus>
            {texts('cancel')}
          </Button>
          {isContact ? null : (
            <Button onClick={() => say({ confirm: questions.map(confirmed) })}>{t('yes')}</Button>
          )}
        </FormActions>
      </Dialog>
    )
  }
  return { take, node }
}

/** Returns a function that says what is unusual, in a sentence. */
export function useQuestionText() {
  const t = useTranslations('client.booking.asks')
  return (code: Question, taken?: TakenBy): string =>
    code === 'TABLE_TAKEN' && taken
      ? t('takenBy', {
          name: taken.customer_name ? shownName(taken.customer_name) : t('noName'),
          from: taken.from,
          until: taken.until,
        })
      : t(`about.${code}`)
}
