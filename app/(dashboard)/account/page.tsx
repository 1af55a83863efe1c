import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SecondFactor } from '@/components/account/second-factor'
import { ClientTexts } from '@/components/ui/client-texts'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { secondFactorState } from '@/lib/account/second-factor'
import { pageSession } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('secondFactor')
  return { title: t('account') }
}

/** How the person signs in. */
export default async function AccountPage() {
  const session = await pageSession()
  const t = await getTranslations('secondFactor')
  return (
    <>
      <PageHeader title={t('account')} subtitle={t('accountHint')} />
      <ClientTexts features={['secondFactor']}>
        <Panel title={t('title')}>
          <SecondFactor state={await secondFactorState(session)} />
        </Panel>
      </ClientTexts>
    </>
  )
}
