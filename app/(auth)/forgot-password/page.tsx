import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { ForgotPasswordForm } from '@/components/sign-in/new-password-forms'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import { resetMailer } from '@/lib/auth/reset-mail'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('password')
  return { title: t('forgotTitle') }
}

/** Asking for a link to a new password. */
export default async function ForgotPasswordPage() {
  const t = await getTranslations('password')
  // A database that fails here says so when the form is sent.
  const nobodyMails = (await resetMailer().catch(() => undefined)) === null
  return (
    <AuthFrame title={t('forgotTitle')} hint={nobodyMails ? t('askForLink') : t('forgotHint')}>
      {nobodyMails ? <Failure text={t('noMail')} /> : <ForgotPasswordForm />}
      <AuthSwitch>
        <Link href="/sign-in">{t('back')}</Link>
      </AuthSwitch>
    </AuthFrame>
  )
}
