import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { ThresholdsCard } from '@/components/identity/thresholds-card'
import { WeightsPanel } from '@/components/identity/weights-panel'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { readIdentity } from '@/lib/identity/settings'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('identity') }
}

/** The settings of duplicate detection: thresholds, the weight of each field, and the last learning run. */
export default async function IdentityPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [identity, t, format] = await Promise.all([
    readIdentity(session),
    getTranslations('settings.identity'),
    getFormatter(),
  ])
  const { likely, certain, learned_at, learned_from, waiting, weights } = identity
  const learned = learned_at
    ? t('learned', { date: format.dateTime(new Date(learned_at), 'instantDate'), people: learned_from })
    : t('shipped')
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <ThresholdsCard likely={likely} certain={certain} notes={[t('waiting', { waiting }), learned]} />
        <WeightsPanel weights={weights} />
      </Panels>
    </>
  )
}
