'use client'
import { useTranslations } from 'next-intl'
import classes from './draft.module.css'
import { signInAgain } from './send'
import { releaseLeaveGuards } from './use-leave-guard'

/**
 * A form's message when the session has ended, with a link to sign in and return. The input is kept, so no question
 * is asked.
 */
export function SignInAgain() {
  const t = useTranslations('client.form')
  return (
    <>
      {t('sessionEnded')}{' '}
      <button
        type="button"
        className={classes.again}
        onClick={() => {
          releaseLeaveGuards()
          window.location.assign(signInAgain())
        }}
      >
        {t('signInAgain')}
      </button>
    </>
  )
}
