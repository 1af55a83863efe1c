import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { GroupCard } from '@/components/general/group-card'
import { PendingLimits } from '@/components/general/pending-limits'
import { SettingsCard } from '@/components/general/settings-card'
import { MarketingCard, SecondFactorCard, SetupCard, VisitsCard } from '@/components/general/switch-cards'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { aiUseToday } from '@/lib/assistant/allowance'
import { pageSessionWith } from '@/lib/auth/page-session'
import { env } from '@/lib/env'
import { pageLocations } from '@/lib/locations/locations'
import { timeZones } from '@/lib/locations/time-zones'
import { readOrganization } from '@/lib/organization/organization'
import { pendingLimits } from '@/lib/organization/pending'

const LOCATIONS = 200

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('general') }
}

/** The organization's settings: its name and time zone, sending, visits, days ahead, retention, the assistant. */
export default async function GeneralPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [organization, pending, locations, use, t] = await Promise.all([
    readOrganization(session),
    pendingLimits(session),
    pageLocations(session, { limit: LOCATIONS }),
    aiUseToday(session),
    getTranslations('settings.general'),
  ])
  const shared = { organization, usualHorizon: env().PMS_HORIZON_DAYS }
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels columns>
        <GroupCard
          organization={{
            name: organization.name,
            timezone: organization.timezone,
            language: organization.language,
            postal_address: organization.postal_address,
          }}
          timeZones={timeZones(organization.timezone)}
        />
        <SettingsCard card="sends" {...shared} />
        <MarketingCard limited={organization.limit_marketing_to_roles} />
        <SecondFactorCard
          required={organization.require_second_factor}
          editable={session.role === 'super_admin'}
        />
        <SettingsCard
          key={`approval ${organization.approve_above} ${organization.campaign_approve_above}`}
          card="approval"
          {...shared}
        >
          <PendingLimits pending={pending} />
        </SettingsCard>
        <SettingsCard card="tables" {...shared} />
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
        <SetupCard shown={organization.show_setup} />
      </Panels>
    </>
  )
}
