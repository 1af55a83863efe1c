import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ProfilePanel } from '@/components/account/profile-panel'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panels'
import { pageSession } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('title') }
}

/** The signed-in person's own account, for every role. */
export default async function AccountPage() {
  const session = await pageSession()
  const t = await getTranslations('account')
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <ProfilePanel session={session} />
      </Panels>
    </>
  )
}
