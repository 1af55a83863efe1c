import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { SetupForm } from '@/components/setup/setup-form'
import { AuthFrame } from '@/components/sign-in/auth-frame'
import { timeZones } from '@/lib/locations/time-zones'
import { setupState } from '@/lib/setup/setup'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('setup')
  return { title: t('title') }
}

/** Makes the first group. Once a group exists, the page only redirects to the sign-in. */
export default async function SetupPage() {
  const state = await setupState()
  if (state === 'closed') redirect('/sign-in')
  const t = await getTranslations('setup')
  if (state === 'open')
    return (
      <AuthFrame title={t('title')} hint={t('hint')}>
        <SetupForm timeZones={timeZones()} />
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('closedTitle')} hint={t('closedHint')}>
      <ol>
        <li>{t('steps.make')}</li>
        <li>{t('steps.set')}</li>
        <li>{t('steps.restart')}</li>
      </ol>
    </AuthFrame>
  )
}
