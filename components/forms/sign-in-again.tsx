'use client'
import { useTranslations } from 'next-intl'
import classes from './draft.module.css'
import { signInAgain } from './send'
import { releaseLeaveGuards } from './use-leave-guard'

/** What a form says when the session has ended, with the way to sign in and back. What is typed is kept, so nothing asks. */
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
