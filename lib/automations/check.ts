import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { boundTo } from '@/lib/locations/bound-to'
import { listTiers } from '@/lib/loyalty/list-tiers'
import { templateMistake } from '@/lib/messaging/template'
import { completeCriteria } from './criteria'
import type { AutomationPatch, NewAutomation } from './schema'

const refuse = (error: string) => new HttpError(400, { error })

/**
 * Checks an automation as it would be saved; `changed` are the fields the request gives. Returns it with its
 * criteria completed.
 * @throws HttpError 400 that names the field: criteria, templates (with the line), ids, what activation needs.
 */
export async function checkAutomation(
  session: Pick<Session, 'db' | 'user_id'>,
  automation: NewAutomation,
  changed: AutomationPatch = automation,
): Promise<NewAutomation> {
  const criteria = completeCriteria(automation.type, automation.criteria)
  if (!criteria.success) {
    const [issue] = criteria.error.issues
    throw refuse(`${['criteria', ...(issue?.path ?? [])].join('.')}: ${issue?.message}`)
  }
  if (automation.fallback_channel === automation.channel)
    throw refuse('fallback_channel: must differ from channel')
  await checkTemplates(automation)
  if (automation.status === 'active') checkComplete(automation)
  await checkReferences(session, changed, criteria.data)
  return { ...automation, criteria: criteria.data }
}

async function checkTemplates({ subject, body, content_variables }: NewAutomation): Promise<void> {
  const variables = Object.entries(content_variables).map(([name, text]) => [
    `content_variables.${name}`,
    text,
  ])
  const fields = [['subject', subject ?? ''], ['body', body], ...variables]
  const mistake = await templateMistake(fields.map(([, text = '']) => text))
  if (!mistake) return
  const { index, error } = mistake
  throw refuse(`${fields[index]?.[0]}: line ${error.line ?? 1}: ${error.message}`)
}

function checkComplete({ channel, fallback_channel, subject, body, content_sid }: NewAutomation): void {
  const channels = [channel, fallback_channel]
  const isBlank = body.trim() === ''
  if (channels.includes('email') && !subject?.trim()) throw refuse('subject: needed to send e-mail')
  if ((channels.includes('email') || channels.includes('sms')) && isBlank)
    throw refuse('body: needed to send e-mail or SMS')
  if (channels.includes('whatsapp') && content_sid === null && isBlank)
    throw refuse('content_sid: needed to send WhatsApp, or a body')
}

async function checkReferences(
  session: Pick<Session, 'db' | 'user_id'>,
  { location_ids, tier_ids = [] }: AutomationPatch,
  criteria: object,
): Promise<void> {
  // None means every location, which is not for someone bound to some.
  if (location_ids?.length === 0 && (await boundTo(session)))
    throw refuse('location_ids: name the locations you work in')
  if (location_ids && location_ids.length > 0) {
    const found = unwrap(await session.db.from('locations').select('id').in('id', location_ids))
    if (found?.length !== location_ids.length) throw refuse('location_ids: not one of your locations')
  }
  const minTier = 'min_tier' in criteria ? criteria.min_tier : undefined
  if (tier_ids.length === 0 && minTier === undefined) return
  const tiers = await listTiers(session)
  if (!tier_ids.every((id) => tiers.some((tier) => tier.id === id)))
    throw refuse('tier_ids: not one of your tiers')
  if (minTier !== undefined && !tiers.some(({ name }) => name === minTier))
    throw refuse('criteria.min_tier: no such tier')
}
