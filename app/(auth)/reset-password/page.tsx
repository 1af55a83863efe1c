import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { ResetPasswordForm } from '@/components/sign-in/reset-password-form'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import { param } from '@/components/ui/query'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('password')
  // The address is as good as a password: it goes nowhere else.
  return { title: t('resetTitle'), referrer: 'no-referrer' }
}

/** Where the mailed link leads. Looking spends nothing: mail scanners look too. */
export default async function ResetPasswordPage({ searchParams }: PageProps<'/reset-password'>) {
  const t = await getTranslations('password')
  const token = param(await searchParams, 'token_hash', 200)
  return (
    <AuthFrame title={t('resetTitle')} hint={t('resetHint')}>
      {token ? <ResetPasswordForm token={token} /> : <Failure text={t('noToken')} />}
      <AuthSwitch>
        <Link href="/forgot-password">{t('another')}</Link>
      </AuthSwitch>
    </AuthFrame>
  )
}
