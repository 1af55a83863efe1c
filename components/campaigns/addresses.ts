import { z } from 'zod'
import { CAMPAIGN_STATUSES, RECIPIENT_OUTCOMES } from '@/lib/campaigns/limits'
import { cursorField, pageAddress } from '@/lib/http/page-address'

/** What narrows the list of campaigns. */
export const campaignFilters = z.object({ status: z.enum(CAMPAIGN_STATUSES).optional() })

/** The list of campaigns. */
export const campaignsPage = pageAddress('/campaigns', campaignFilters.extend({ cursor: cursorField }))

/** What the editor's address proposes: the segment to write to. */
const proposal = z.object({ segment_id: z.uuid().toLowerCase().optional() })

/** A new campaign. */
export const newCampaignPage = pageAddress('/campaigns/new', proposal)

/** The editor of a draft. */
export const editCampaignPage = (id: string) => pageAddress(`/campaigns/${id}/edit`, proposal)

/** What narrows the recipients on a campaign's page. */
const recipientFilters = z.object({ outcome: z.enum(RECIPIENT_OUTCOMES).optional() })

/** A campaign: its recipients of an outcome, from `cursor`. */
export const campaignPage = (id: string) =>
  pageAddress(`/campaigns/${id}`, recipientFilters.extend({ cursor: cursorField }))
/** What its address asks for. */
export type CampaignView = ReturnType<ReturnType<typeof campaignPage>['read']>

/** The recipients as a file. */
export const recipientsExport = (id: string) =>
  pageAddress(
    `/api/campaigns/${id}/recipients`,
    recipientFilters.extend({ format: z.string(), language: z.string() }),
  )
