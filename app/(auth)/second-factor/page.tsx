import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { SecondFactor } from '@/components/account/second-factor'
import { SignOutButton } from '@/components/shell/account-actions'
import { AuthFrame } from '@/components/sign-in/auth-frame'
import { SecondFactorForm } from '@/components/sign-in/second-factor-form'
import { shownSecondFactor } from '@/lib/account/second-factor'
import { currentStanding, safeNextPath, signInPath } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('secondFactor')
  return { title: t('title') }
}

/** The step after the password: enter a code of the second factor, or set one up where the role requires it. */
export default async function SecondFactorPage({ searchParams }: PageProps<'/second-factor'>) {
  const next = safeNextPath((await searchParams).next)
  const standing = await currentStanding()
  if (!standing) redirect(signInPath(next))
  if (!standing.missing) redirect(next)
  const t = await getTranslations('secondFactor')
  const isCode = standing.missing === 'code'
  return (
    <AuthFrame title={t('title')} hint={t(isCode ? 'codeHint' : 'enrolHint')}>
      {isCode ? (
        <SecondFactorForm next={next} />
      ) : (
        <SecondFactor state={await shownSecondFactor(standing.session)} next={next} />
      )}
      <SignOutButton />
    </AuthFrame>
  )
}
