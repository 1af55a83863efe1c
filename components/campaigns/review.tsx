'use client'
import dynamic from 'next/dynamic'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import type { PickedCustomer } from '@/components/customers/customer-picker'
import { usePreview } from '@/components/forms/use-preview'
import { Skeleton } from '@/components/ui/page-skeleton'
import { Panel } from '@/components/ui/panel'
import type { Campaign, CampaignPreview } from '@/lib/campaigns/schema'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import classes from './campaigns.module.css'
import { Decide } from './decide'
import { bodyOf, draftOf } from './editor/draft'
import { LanguageChoice } from './language-choice'
import { Launch } from './launch'
import { CampaignSummaryText } from './summary'
import { UndoLaunch } from './undo-launch'
import { useCampaign } from './use-campaign'

// Loaded after the page: what is to be decided comes first.
const PreviewPanel = dynamic(() => import('./preview').then((m) => m.PreviewPanel), {
  ssr: false,
  loading: () => <Skeleton height={360} />,
})
const TestPanel = dynamic(() => import('./test-panel').then((m) => m.TestPanel), {
  ssr: false,
  loading: () => <Skeleton height={120} />,
})

interface ReviewProps {
  campaign: Campaign
  locations: readonly string[]
  groupLanguage: GuestLanguage
  /** The roles that may approve, in words. */
  approvers: string
  canSearch: boolean
}

/** A campaign before it is sent: in words, as any guest gets it, a test, and what is to be decided. */
export function Review({ campaign, locations, groupLanguage, approvers, canSearch }: ReviewProps) {
  const t = useTranslations('client.campaigns.review')
  const locale = useLocale()
  const [as, setAs] = useState<PickedCustomer | null>(null)
  const [language, setLanguage] = useState<GuestLanguage | null>(null)
  const saved = useMemo(() => bodyOf(draftOf(campaign), locale), [campaign, locale])
  const state = usePreview<CampaignPreview>('/api/campaigns/preview', {
    ...saved,
    id: campaign.id,
    customer_id: as?.id,
    language: language ?? undefined,
  })
  const isDraft = campaign.status === 'draft'
  const counts = state.preview
  // Launched for now: it begins in a moment, or a minute when it is large, and the page follows.
  const { undo_until: undo } = campaign
  const begins = campaign.status === 'scheduled' && (campaign.starts_local === null || undo !== null)
  useCampaign(campaign, begins)
  return (
    <div className={classes.review}>
      <div className={classes.column}>
        <Panel title={t(isDraft ? 'title' : 'what')}>
          <div className={classes.stack}>
            <CampaignSummaryText
              campaign={campaign}
              guests={isDraft ? (counts?.to_send ?? null) : (campaign.guests ?? counts?.to_send ?? null)}
              counts={counts}
              locations={locations}
            />
            {isDraft ? <Launch campaign={campaign} preview={counts} approvers={approvers} /> : null}
            {begins ? (
              <p role="status" className={classes.hint}>
                {t(undo === null ? 'begins' : 'beginsLater')}
              </p>
            ) : null}
            {begins && undo !== null ? <UndoLaunch campaign={campaign} until={undo} /> : null}
            {campaign.status === 'waiting_approval' ? (
              <Decide campaign={campaign} approvers={approvers} />
            ) : null}
          </div>
        </Panel>
        {isDraft || campaign.status === 'waiting_approval' ? (
          <TestPanel campaign={campaign} as={as} language={language} />
        ) : null}
      </div>
      <div className={classes.column}>
        <PreviewPanel {...state} as={as} onAs={setAs} canSearch={canSearch}>
          <LanguageChoice
            campaign={campaign}
            group={groupLanguage}
            chosen={language}
            onChoose={setLanguage}
          />
        </PreviewPanel>
      </div>
    </div>
  )
}
