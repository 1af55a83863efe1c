import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { MorningMailPanel } from '@/components/account/morning-mail-panel'
import { PasswordPanel } from '@/components/account/password-panel'
import { ProfilePanel } from '@/components/account/profile-panel'
import { PushPanel } from '@/components/account/push-panel'
import { SecondFactor } from '@/components/account/second-factor'
import { SessionsPanel } from '@/components/account/sessions-panel'
import { ClientTexts } from '@/components/ui/client-texts'
import { PageHeader } from '@/components/ui/page-header'
import { Panel, Panels } from '@/components/ui/panel'
import { shownSecondFactor } from '@/lib/account/second-factor'
import { mySessions } from '@/lib/account/sessions'
import { pageSession } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('title') }
}

/** The signed-in person's own account, for every role. */
export default async function AccountPage() {
  const session = await pageSession()
  const [sessions, factor, t, tf] = await Promise.all([
    mySessions(session),
    shownSecondFactor(session),
    getTranslations('account'),
    getTranslations('secondFactor'),
  ])
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <ProfilePanel session={session} />
        <MorningMailPanel session={session} />
        <PushPanel session={session} />
        <SessionsPanel sessions={sessions} />
        <PasswordPanel email={session.email} />
        <Panel title={tf('title')}>
          <ClientTexts features={['secondFactor']}>
            <SecondFactor state={factor} />
          </ClientTexts>
        </Panel>
      </Panels>
    </>
  )
}
