import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { SignUpForm } from '@/components/sign-in/sign-up-form'
import { Link } from '@/components/ui/link'
import { currentStanding } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signUp')
  return { title: t('title'), referrer: 'no-referrer' }
}

/** Accepting an invitation; redirects people who are signed in. */
export default async function SignUpPage() {
  if (await currentStanding()) redirect('/')
  const t = await getTranslations('signUp')
  return (
    <AuthFrame title={t('title')} hint={t('hint')}>
      <SignUpForm />
      <AuthSwitch>
        {t('member')} <Link href="/sign-in">{t('signIn')}</Link>
      </AuthSwitch>
    </AuthFrame>
  )
}
