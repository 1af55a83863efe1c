'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import type { Refusal } from '@/components/forms/send'
import { Dialog } from '@/components/ui/dialog'
import { FormActions, FormFields } from '@/components/ui/form-layout'

/** What a person says about a booking that the API has asked about: fields of its body. */
export type Said = Readonly<Record<string, unknown>>

/**
 * The questions of saving a booking: whose it is, when its contact belongs to a guest of another name, and whether an
 * unusual amount is right. `take` opens the question of a refusal; its answer saves again, with all answers so far.
 */
export function useQuestions(save: (said: Said) => void) {
  const t = useTranslations('client.booking.asks')
  const texts = useTranslations('client.form')
  const [asked, setAsked] = useState<Refusal | null>(null)
  const [said, setSaid] = useState<Said>({})

  /** @param given the answers that were sent with the request */
  function take(refusal: Refusal, given: Said = {}): void {
    setSaid(given)
    setAsked(refusal.code === 'CONTACT_OF_ANOTHER' || refusal.code === 'UNUSUAL_AMOUNT' ? refusal : null)
  }
  function say(answer: Said): void {
    setAsked(null)
    save({ ...said, ...answer })
  }

  let node: ReactNode = null
  if (asked) {
    const isContact = asked.code === 'CONTACT_OF_ANOTHER'
    const close = () => setAsked(null)
    node = (
      <Dialog title={t(isContact ? 'whose' : 'amount')} alert onClose={close}>
        <FormFields>
          <p>{t(isContact ? 'whoseText' : 'amountText')}</p>
          {isContact ? (
            <>
              {(asked.candidates ?? []).map(({ id, name }) => (
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
          ) : null}
        </FormFields>
        <FormActions>
          <Button variant="default" onClick={close} data-autofocus>
            {texts('cancel')}
          </Button>
          {isContact ? null : (
            <Button onClick={() => say({ confirm: ['unusual_amount'] })}>{t('amountRight')}</Button>
          )}
        </FormActions>
      </Dialog>
    )
  }
  return { take, node }
}
