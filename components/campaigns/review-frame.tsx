import { getFormatter, getTranslations } from 'next-intl/server'
import { ClientTexts } from '@/components/ui/client-texts'
import type { Session } from '@/lib/auth/session'
import type { Campaign } from '@/lib/campaigns/schema'
import { listLocations } from '@/lib/locations/locations'
import { readOrganization } from '@/lib/organization/organization'
import { PERMISSIONS } from '@/lib/permissions'
import { Review } from './review'

/** A campaign before it is sent, with the names that its summary needs. */
export async function ReviewFrame({ session, campaign }: { session: Session; campaign: Campaign }) {
  const [locations, organization, roles, format] = await Promise.all([
    listLocations(session),
    readOrganization(session),
    getTranslations('roles'),
    getFormatter(),
  ])
  const names = locations.filter(({ id }) => campaign.location_ids.includes(id)).map(({ name }) => name)
  const approvers = PERMISSIONS.canAccessMarketing.map((role) => roles(role))
  return (
    <ClientTexts
      features={[
        'automationEditor',
        'automations',
        'campaignEditor',
        'campaigns',
        'customerPicker',
        'emailDesign',
        'guestLanguages',
        'messageReasons',
        'sendingCheck',
        'testSend',
      ]}
    >
      <Review
        key={campaign.version}
        campaign={campaign}
        locations={names}
        groupLanguage={organization.language}
        approvers={format.list(approvers, { type: 'disjunction' })}
        canSearch={session.can('canAccessClientes')}
      />
    </ClientTexts>
  )
}
