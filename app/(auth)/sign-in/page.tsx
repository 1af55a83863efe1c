import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { Link } from '@/components/ui/link'
import { safeNextPath } from '@/lib/auth/next-path'
import { currentStanding, secondFactorPath } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signIn')
  return { title: t('title') }
}

/** Sign-in; someone who already is goes where they wanted to. */
export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const next = safeNextPath((await searchParams).next)
  const standing = await currentStanding()
  if (standing) redirect(standing.missing ? secondFactorPath(next) : next)
  const t = await getTranslations('signIn')
  return (
    <AuthFrame title={t('title')} hint={t('hint')}>
      <SignInForm next={next} />
      <AuthSwitch>
        <Link href="/forgot-password">{t('forgot')}</Link>
      </AuthSwitch>
      <AuthSwitch>
        {t('invited')} <Link href="/sign-up">{t('join')}</Link>
      </AuthSwitch>
    </AuthFrame>
  )
}
