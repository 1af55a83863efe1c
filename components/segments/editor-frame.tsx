import type { Session } from '@/lib/auth/session'
import { listAutomations } from '@/lib/automations/reads'
import { listCampaigns } from '@/lib/campaigns/reads'
import { listLocations } from '@/lib/locations/locations'
import { listTiers } from '@/lib/loyalty/tiers'
import type { Segment, SegmentNode } from '@/lib/segments/schema'
import { SegmentEditor } from './editor-lazy'

interface EditorFrameProps {
  session: Session
  segment?: Segment
  proposed?: { name: string; definition: SegmentNode | null }
  /** The campaign that a new segment is for. */
  campaignId?: string | undefined
}

/** The editor with the options of its conditions. */
export async function EditorFrame({ session, segment, proposed, campaignId }: EditorFrameProps) {
  const may = session.can('canAccessMarketing')
  const [locations, tiers, campaigns, automations] = await Promise.all([
    listLocations(session),
    listTiers(session),
    may ? listCampaigns(session, { limit: 200 }) : null,
    may ? listAutomations(session, { limit: 200 }) : null,
  ])
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
  return (
    <SegmentEditor
      segment={segment}
      proposed={proposed}
      campaignId={campaignId}
      choices={{
        locations: locations.map(named),
        tiers: tiers.map(named),
        campaigns: (campaigns?.data ?? []).filter(({ status }) => status !== 'draft').map(named),
        automations: (automations?.data ?? []).map(named),
      }}
    />
  )
}
