import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { checkComplete, checkReferences, checkTemplates } from '@/lib/automations/check'
import { unwrap } from '@/lib/db/errors'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { isBrokenSegment } from '@/lib/segments/broken'
import type { CampaignMessageInput, NewCampaign } from './schema'

type Checked = Pick<Session, 'db' | 'user_id' | 'role'>

/**
 * Checks a campaign as it would be saved: templates, locations, segment.
 * @throws HttpError 400 that names the field.
 */
export async function checkCampaign(
  session: Checked,
  { location_ids, segment_id, messages }: Pick<NewCampaign, 'location_ids' | 'segment_id' | 'messages'>,
): Promise<void> {
  for (const [index, message] of messages.entries())
    await within(`messages.${index}`, () => checkMessage(session, message))
  await checkReferences(session, { location_ids }, {})
  // Also that of a campaign which the person may approve: they look at its preview.
  if (segment_id !== null && !(await segmentOf(session, segment_id))) throw unknownSegment()
}

/**
 * Checks that a draft can be launched: it has a segment that is there and can be read, and its messages, none of which is
 * `broken`, have what their channels need.
 * @throws HttpError 400 that names the field.
 */
export async function checkLaunch(
  session: Pick<Session, 'db'>,
  campaign: NewCampaign,
  broken = false,
): Promise<void> {
  if (broken) throw invalidInput({ path: 'messages', code: 'broken', message: 'cannot be read any more' })
  if (campaign.segment_id === null)
    throw invalidInput({ path: 'segment_id', code: 'required', message: 'needed to launch it' })
  const segment = await segmentOf(session, campaign.segment_id)
  if (!segment?.shared && !segment?.mine) throw unknownSegment()
  if (await isBrokenSegment(session.db, campaign.segment_id))
    throw invalidInput({
      path: 'segment_id',
      code: 'broken',
      message: 'its conditions cannot be read any more',
    })
  for (const [index, message] of campaign.messages.entries())
    await within(`messages.${index}`, async () => checkComplete(message))
  const byEmail = campaign.messages
    .filter(({ step }) => step === 1)
    .every(({ channel, fallback_channel }) => channel === 'email' || fallback_channel === 'email')
  if (campaign.ab?.winner_by === 'clicks' && !byEmail)
    throw invalidInput({ path: 'ab.winner_by', code: 'invalid', message: 'only e-mails report clicks' })
}

/** What the caller may know of a segment; undefined when that is nothing. */
async function segmentOf({ db }: Pick<Session, 'db'>, id: string) {
  const found = unwrap(await db.rpc('list_segments', { p_id: id }))
  return z.array(z.object({ shared: z.boolean(), mine: z.boolean() })).parse(found)[0]
}

const unknownSegment = () =>
  invalidInput({ path: 'segment_id', code: 'unknown', message: 'neither a shared segment nor your own' })

async function checkMessage(session: Checked, message: CampaignMessageInput): Promise<void> {
  if (message.fallback_channel === message.channel)
    throw invalidInput({
      path: 'fallback_channel',
      code: 'same_channel',
      message: 'must differ from channel',
    })
  await checkTemplates({ ...message, type: 'campaign', criteria: {} })
  const { email_design, versions } = message
  await checkReferences(session, { email_design, versions }, {})
}

/** Runs a check of one part, and prefixes the paths of its issues with `path`. */
async function within(path: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'INVALID_INPUT') throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `${path}.${issue.path}` }))
    throw new HttpError('INVALID_INPUT', { error: `${path}.${error.message}`, issues })
  }
}
