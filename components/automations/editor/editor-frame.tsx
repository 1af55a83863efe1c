import { getTranslations } from 'next-intl/server'
import { ClientTexts } from '@/components/ui/client-texts'
import type { Session } from '@/lib/auth/session'
import type { Automation } from '@/lib/automations/schema'
import type { AutomationType } from '@/lib/automations/types'
import { imagesBase } from '@/lib/email-design/address'
import { listLooks } from '@/lib/email-design/looks'
import { listLocations } from '@/lib/locations/locations'
import { listTiers } from '@/lib/loyalty/tiers'
import { channelTroubles } from '@/lib/messaging/providers'
import { readOrganization } from '@/lib/organization/organization'
import { withMark } from '@/lib/segments/page-segment'
import { listSegments } from '@/lib/segments/segments'
import { Editor } from './editor-lazy'

interface EditorFrameProps {
  session: Session
  type: AutomationType
  automation?: Automation
}

/** The editor with its options: locations, tiers, channels. */
export async function EditorFrame({ session, type, automation }: EditorFrameProps) {
  const [locations, tiers, segments, troubles, looks, organization, common] = await Promise.all([
    listLocations(session),
    listTiers(session),
    listSegments(session),
    channelTroubles(session),
    listLooks(session),
    readOrganization(session),
    getTranslations('common'),
  ])
  return (
    <ClientTexts
      features={[
        'automationEditor',
        'automations',
        'emailDesign',
        'guestLanguages',
        'messageReasons',
        'sendingCheck',
        'testSend',
      ]}
    >
      <Editor
        automation={automation}
        type={type}
        locations={locations.map(({ id, name, brand_id }) => ({ id, name, brand_id }))}
        tiers={tiers.map(({ id, name }) => ({ id, name }))}
        segments={segments
          .filter(({ shared }) => shared)
          .map((segment) => withMark(segment, common('broken.mark')))}
        troubles={troubles}
        looks={looks}
        smsPrice={organization.sms_price}
        groupLanguage={organization.language}
        imageBase={imagesBase()}
      />
    </ClientTexts>
  )
}
