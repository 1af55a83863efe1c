import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { CampaignStatus } from '@/lib/campaigns/limits'

const TONES: Record<CampaignStatus, BadgeTone> = {
  draft: 'neutral',
  waiting_approval: 'amber',
  scheduled: 'blue',
  sending: 'blue',
  paused: 'amber',
  finished: 'green',
  stopped: 'red',
}

/** Where a campaign stands, in words and by colour. */
export function CampaignBadge({ status }: { status: CampaignStatus }) {
  const t = useTranslations('client.campaigns.status')
  return (
    <Badge tone={TONES[status]} dot>
      {t(status)}
    </Badge>
  )
}
