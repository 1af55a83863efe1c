import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundTo, type Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { runAfter } from '@/lib/http/after'
import type { ErrorCode } from '@/lib/http/error-codes'
import { HttpError, refuse } from '@/lib/http/errors'
import { closedChannels, providersFor } from '@/lib/messaging/providers'
import { cancelHeld } from '@/lib/messaging/queue'
import { refuseBlocked } from '@/lib/sending-check/refuse'
import { checkLaunch } from './check'
import { sendCampaign } from './plan'
import { previewCampaign } from './preview'
import { getCampaign } from './reads'
import type { Campaign, Decision } from './schema'
import { contentOf } from './writes'

// The platform ends the function at 300 s, counted from the request's arrival.
const BUDGET_MS = 260_000

type Mover = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>

/**
 * Launches a draft as the person saw it: its version and number of guests. Without a time it begins after the answer.
 * @throws HttpError 404; 400 when it is incomplete; 409 when it is no draft, is of another version, would write to over a
 * tenth more guests, or the check before sending fails.
 */
export async function launchCampaign(
  session: Mover,
  id: string,
  { guests, version }: Decision,
  now = new Date(),
): Promise<Campaign> {
  const campaign = await getCampaign(session, id)
  if (campaign.status === 'draft') {
    // What is checked is what is launched: the database compares the version again.
    if (campaign.version !== version) throw new HttpError('RUN_CHANGED')
    const content = contentOf(campaign)
    await checkLaunch(session, content, campaign.broken)
    refuseBlocked((await previewCampaign(session, { ...content, id }, now)).check)
  }
  const db = serviceDb()
  const launched = await db.rpc('launch_campaign', {
    p_organization: session.organization.id,
    p_campaign: id,
    p_person: session.user_id,
    p_guests: guests,
    p_version: version,
    p_now: now.toISOString(),
    p_closed: closedChannels(await providersFor(db, session.organization.id)),
    p_locations: (await boundTo(session)) ?? undefined,
  })
  const outcome = unwrap(launched)
  if (outcome === 'past') refuseBlocked({ blocking: [{ code: 'past', field: 'starts_local' }], warnings: [] })
  refuse(outcome, { not_draft: 'NOT_DRAFT', changed: 'RUN_CHANGED' })
  return goOn(session, id)
}

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  not_waiting: 'NOT_WAITING',
  own: 'OTHER_APPROVER_NEEDED',
  changed: 'RUN_CHANGED',
  not_scheduled: 'NOT_SCHEDULED',
  not_running: 'NOT_RUNNING',
  not_paused: 'NOT_PAUSED',
}

/**
 * Approves (what the person has `seen`), refuses, takes back, pauses, resumes or stops a launched campaign.
 * What may be sent then is sent after the answer.
 * @throws HttpError 404; 403 when the person who launched it approves it; 409 when its status does not allow
 * the action.
 */
export async function moveCampaign(
  session: Mover,
  id: string,
  action: 'approve' | 'refuse' | 'unschedule' | 'pause' | 'resume' | 'stop',
  seen?: Decision,
  now = new Date(),
): Promise<Campaign> {
  await getCampaign(session, id)
  const db = serviceDb()
  const moved = await db.rpc('move_campaign', {
    p_organization: session.organization.id,
    p_campaign: id,
    p_action: action,
    p_person: session.user_id,
    p_guests: seen?.guests,
    p_version: seen?.version,
    p_now: now.toISOString(),
    p_closed: closedChannels(await providersFor(db, session.organization.id)),
  })
  refuse(unwrap(moved), REFUSALS)
  if (action === 'stop') await cancelHeld(db, session.organization.id, now, AbortSignal.timeout(BUDGET_MS))
  return action === 'approve' || action === 'resume' ? goOn(session, id) : getCampaign(session, id)
}

/** Waits while a large campaign can be undone. One that was undone is a draft by then, and nothing is planned. */
async function untilUndone({ undo_until }: Campaign, signal: AbortSignal): Promise<void> {
  const wait = undo_until === null ? 0 : Date.parse(undo_until) - Date.now()
  if (wait > 0) await sleep(wait, undefined, { signal })
}

async function goOn(session: Mover, id: string): Promise<Campaign> {
  const campaign = await getCampaign(session, id)
  if (campaign.status === 'scheduled' || campaign.status === 'sending') {
    const signal = AbortSignal.timeout(BUDGET_MS)
    const planning = {
      db: serviceDb(),
      organizationId: session.organization.id,
      now: () => new Date(),
      signal,
    }
    runAfter('campaign', async () => {
      await untilUndone(campaign, signal)
      await sendCampaign(planning, id)
    })
  }
  return campaign
}
