import { z } from 'zod'
import { CAMPAIGN_STATUSES } from '@/lib/campaigns/limits'
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
