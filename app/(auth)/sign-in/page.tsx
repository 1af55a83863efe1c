import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { AuthFrame, AuthSwitch } from '@/components/sign-in/auth-frame'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { Link } from '@/components/ui/link'
import { currentStanding, safeNextPath, secondFactorPath } from '@/lib/auth/page-session'
import { setupState } from '@/lib/setup/setup'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signIn')
  return { title: t('title') }
}

/** Sign-in; redirects people who are signed in to the page they asked for, and from an unused database to /setup. */
export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const next = safeNextPath((await searchParams).next)
  const standing = await currentStanding()
  if (standing) redirect(standing.missing ? secondFactorPath(next) : next)
  if (await isUnused()) redirect('/setup')
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

/** Whether there is no group yet. False when the database does not answer; the form then reports that. */
const isUnused = () =>
  setupState().then(
    (state) => state !== 'closed',
    () => false,
  )
