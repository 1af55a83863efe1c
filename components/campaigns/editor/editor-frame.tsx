import { getFormatter, getTranslations } from 'next-intl/server'
import { ClientTexts } from '@/components/ui/client-texts'
import type { Session } from '@/lib/auth/session'
import type { Campaign } from '@/lib/campaigns/schema'
import { imagesBase } from '@/lib/email-design/address'
import { listLooks } from '@/lib/email-design/looks'
import { listLocations } from '@/lib/locations/locations'
import { channelTroubles } from '@/lib/messaging/providers'
import { readOrganization } from '@/lib/organization/organization'
import { withMark } from '@/lib/segments/page-segment'
import { listSegments } from '@/lib/segments/segments'
import { Editor } from './editor-lazy'

interface EditorFrameProps {
  session: Session
  campaign?: Campaign
  /** The segment that the person came with. */
  segmentId?: string | undefined
}

/** The editor with its options: segments, locations, channels, and the hours that its time is compared with. */
export async function EditorFrame({ session, campaign, segmentId }: EditorFrameProps) {
  const [locations, segments, troubles, looks, organization, t, common, format] = await Promise.all([
    listLocations(session),
    listSegments(session),
    channelTroubles(session),
    listLooks(session),
    readOrganization(session),
    getTranslations('campaigns'),
    getTranslations('common'),
    getFormatter(),
  ])
  const now = new Date()
  // One's own serve, too: who approves the campaign sees them then.
  const usable = segments.filter(({ shared, mine }) => shared || mine)
  const active = locations.filter(({ is_active }) => is_active)
  const zones = [...new Set(active.map(({ timezone }) => timezone))]
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
      ]}
    >
      <Editor
        campaign={campaign}
        segmentId={usable.find(({ id }) => id === segmentId)?.id}
        name={t('proposedName', { date: format.dateTime(now, 'instantDate') })}
        segments={usable.map((segment) => withMark(segment, common('broken.mark')))}
        locations={active.map(({ id, name, brand_id }) => ({ id, name, brand_id }))}
        troubles={troubles}
        looks={looks}
        smsPrice={organization.sms_price}
        groupLanguage={organization.language}
        capDays={organization.frequency_cap_days}
        imageBase={imagesBase()}
        hours={{
          zones,
          groupZone: organization.timezone,
          now: now.toISOString(),
        }}
        canSearch={session.can('canAccessClientes')}
      />
    </ClientTexts>
  )
}
