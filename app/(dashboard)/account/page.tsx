import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { PasswordPanel } from '@/components/account/password-panel'
import { ProfilePanel } from '@/components/account/profile-panel'
import { SessionsPanel } from '@/components/account/sessions-panel'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panels'
import { mySessions } from '@/lib/auth/my-sessions'
import { pageSession } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('title') }
}

/** The signed-in person's own account, for every role. */
export default async function AccountPage() {
  const session = await pageSession()
  const [sessions, t] = await Promise.all([mySessions(session), getTranslations('account')])
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <ProfilePanel session={session} />
        <SessionsPanel sessions={sessions} />
        <PasswordPanel email={session.email} />
      </Panels>
    </>
  )
}
