import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { problemsOf } from '@/lib/http/issues'
import { checkCampaign } from './check'
import { getCampaign } from './reads'
import { type Campaign, type CampaignPatch, type NewCampaign, newCampaignSchema } from './schema'

type Writer = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>

/**
 * Creates a draft.
 * @throws HttpError 400 (see checkCampaign).
 */
export async function createCampaign(session: Writer, input: NewCampaign): Promise<Campaign> {
  await checkCampaign(session, input)
  return save(session, input)
}

/**
 * Changes the given fields of a draft as it was at `version`; the whole of it is checked as it would then be.
 * @throws HttpError 404; 400 (see checkCampaign); 409 when it is no draft, or of another version.
 */
export async function changeCampaign(
  session: Writer,
  id: string,
  { version, ...patch }: CampaignPatch & { version: number },
): Promise<Campaign> {
  const before = await getCampaign(session, id)
  if (before.status !== 'draft') throw new HttpError('NOT_DRAFT')
  if (before.version !== version) throw new HttpError('CHANGED_MEANWHILE')
  const next = newCampaignSchema.safeParse({ ...contentOf(before), ...patch })
  if (!next.success) throw invalidInput(...problemsOf(next.error))
  await checkCampaign(session, {
    ...next.data,
    location_ids: patch.location_ids ?? before.location_ids,
    // One that is gone is no obstacle to other changes.
    segment_id: patch.segment_id ?? null,
  })
  return save(session, next.data, { id, version })
}

/**
 * Deletes a draft.
 * @throws HttpError 404; 409 when it is no draft.
 */
export async function deleteCampaign(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
): Promise<void> {
  await getCampaign(session, id)
  const parameters = { p_organization: session.organization.id, p_campaign: id }
  refuse(unwrap(await serviceDb().rpc('delete_campaign', parameters)), { not_draft: 'NOT_DRAFT' })
}

/**
 * Makes a draft of any campaign, without its time.
 * @throws HttpError 404.
 */
export async function copyCampaign(session: Writer, id: string): Promise<Campaign> {
  const campaign = await getCampaign(session, id)
  // A segment that the person may not see stays behind.
  const segment_id = campaign.segment_name === null ? null : campaign.segment_id
  return save(session, { ...contentOf(campaign), segment_id, starts_local: null })
}

/** What a person wrote of a campaign. */
export function contentOf(campaign: Campaign): NewCampaign {
  const { name, segment_id, location_ids, starts_local, exclude_recent_days, control_share, ab } = campaign
  const settings = { name, segment_id, location_ids, starts_local, exclude_recent_days, control_share, ab }
  return { ...settings, messages: campaign.messages.map(({ id: _, broken: __, ...message }) => message) }
}

/** A campaign's fields as the database has them. */
export function toRow({ ab, ...campaign }: Omit<NewCampaign, 'name'> & { name?: string | undefined }): Json {
  const test = ab ?? { test_share: null, winner_by: null, test_hours: null }
  return { ...campaign, ...test } as unknown as Json
}

const savedSchema = z.object({ outcome: z.string(), id: z.string().optional() })

async function save(
  session: Writer,
  campaign: NewCampaign,
  draft?: { id: string; version: number },
): Promise<Campaign> {
  const saved = await serviceDb().rpc('save_campaign', {
    p_organization: session.organization.id,
    p_id: (draft?.id ?? null) as never,
    p_fields: toRow(campaign),
    p_version: draft?.version,
    p_person: session.user_id,
  })
  const { outcome, id } = savedSchema.parse(unwrap(saved))
  refuse(outcome, { not_draft: 'NOT_DRAFT', changed: 'CHANGED_MEANWHILE' })
  return getCampaign(session, id ?? '')
}
