import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { MarketingCard } from '@/components/general/marketing-card'
import { SecondFactorCard } from '@/components/general/second-factor-card'
import { SettingsCard } from '@/components/general/settings-card'
import { VisitsCard } from '@/components/general/visits-card'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panels'
import { aiUseToday } from '@/lib/assistant/use-today'
import { pageSessionWith } from '@/lib/auth/page-session'
import { env } from '@/lib/env'
import { pageLocations } from '@/lib/locations/page-locations'
import { readOrganization } from '@/lib/organization/settings'

const LOCATIONS = 200

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('general') }
}

/** The organization's own settings: when it writes, what counts as a visit, how far it looks ahead, what it keeps. */
export default async function GeneralPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [organization, locations, use, t] = await Promise.all([
    readOrganization(session),
    pageLocations(session, { limit: LOCATIONS }),
    aiUseToday(session),
    getTranslations('settings.general'),
  ])
  const shared = { organization, usualHorizon: env().PMS_HORIZON_DAYS }
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels columns>
        <SettingsCard card="sends" {...shared} />
        <MarketingCard limited={organization.limit_marketing_to_roles} />
        <SecondFactorCard
          required={organization.require_second_factor}
          editable={session.role === 'super_admin'}
        />
        <SettingsCard card="approval" {...shared} />
        <SettingsCard card="horizon" {...shared} />
        {locations.data.length > 0 ? (
          <VisitsCard
            locations={locations.data.map(({ id, name, count_unmarked_visits }) => ({
              id,
              name,
              count_unmarked_visits,
            }))}
          />
        ) : null}
        <SettingsCard card="keep" {...shared} />
        <SettingsCard card="assistant" note={t('aiUse', { ...use })} {...shared} />
      </Panels>
    </>
  )
}
