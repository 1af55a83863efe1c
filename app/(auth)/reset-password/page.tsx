import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { z } from 'zod'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { ResetPasswordForm } from '@/components/sign-in/new-password-forms'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import { pageAddress } from '@/lib/http/page-address'

const address = pageAddress('/reset-password', z.object({ token_hash: z.string().max(200).optional() }))

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('password')
  // The address is as good as a password: it goes nowhere else.
  return { title: t('resetTitle'), referrer: 'no-referrer' }
}

/** The page that the mailed link opens. Opening it does not use up the link: mail scanners open links too. */
export default async function ResetPasswordPage({ searchParams }: PageProps<'/reset-password'>) {
  const t = await getTranslations('password')
  const { token_hash: token } = address.read(await searchParams)
  return (
    <AuthFrame title={t('resetTitle')} hint={t('resetHint')}>
      {token ? <ResetPasswordForm token={token} /> : <Failure text={t('noToken')} />}
      <AuthSwitch>
        <Link href="/forgot-password">{t('another')}</Link>
      </AuthSwitch>
    </AuthFrame>
  )
}
