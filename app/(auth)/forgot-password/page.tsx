import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { ForgotPasswordForm } from '@/components/sign-in/new-password-forms'
import { Link } from '@/components/ui/link'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('password')
  return { title: t('forgotTitle') }
}

/** Asking for a link to a new password. */
export default async function ForgotPasswordPage() {
  const t = await getTranslations('password')
  return (
    <AuthFrame title={t('forgotTitle')} hint={t('forgotHint')}>
      <ForgotPasswordForm />
      <AuthSwitch>
        <Link href="/sign-in">{t('back')}</Link>
      </AuthSwitch>
    </AuthFrame>
  )
}
