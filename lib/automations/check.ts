import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { boundTo } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { checkImages } from '@/lib/email-design/images'
import { imagesOfDesign, textsOfDesign } from '@/lib/email-design/schema'
import { invalidInput } from '@/lib/http/errors'
import { type InputProblem, problemAs, problemsOf } from '@/lib/http/issues'
import { listTiers } from '@/lib/loyalty/tiers'
import { templateMistake } from '@/lib/messaging/template'
import type { AutomationPatch, NewAutomation } from './schema'
import type { AutomationType } from './types'

/**
 * Checks an automation as it would be saved; `changed` are the fields the request gives. Returns it with its
 * criteria completed.
 * @throws HttpError 400 that names the field: criteria, templates (with the line), ids, what activation needs.
 */
export async function checkAutomation(
  session: Pick<Session, 'db' | 'user_id' | 'role'>,
  automation: NewAutomation,
  changed: AutomationPatch = automation,
): Promise<NewAutomation> {
  const criteria = completeCriteria(automation.type, automation.criteria)
  if (!criteria.success)
    throw invalidInput(
      ...problemsOf(criteria.error).map((problem) => ({
        ...problem,
        path: ['criteria', problem.path].filter(Boolean).join('.'),
      })),
    )
  if (automation.fallback_channel === automation.channel)
    throw invalidInput({
      path: 'fallback_channel',
      code: 'same_channel',
      message: 'must differ from channel',
    })
  await checkTemplates(automation)
  if (automation.status === 'active') checkComplete(automation)
  await checkReferences(session, changed, criteria.data)
  return { ...automation, criteria: criteria.data }
}

/**
 * Checks the templates of an automation of `type`.
 * @throws HttpError 400 that names the field, and the line.
 */
export async function checkTemplates(
  automation: Pick<NewAutomation, 'subject' | 'body' | 'content_variables' | 'email_design' | 'criteria'> & {
    type: string
  },
): Promise<void> {
  const { type, subject, body, content_variables, email_design, criteria } = automation
  const { question } = criteria as { question?: unknown }
  const variables = Object.entries(content_variables).map(([name, text]) => [
    `content_variables.${name}`,
    text,
  ])
  const asked = typeof question === 'string' ? [['criteria.question', question]] : []
  const design = email_design ? textsOfDesign(email_design) : []
  const designed = design.map(({ path, text }) => [`email_design.${path}`, text])
  const fields = [['subject', subject ?? ''], ['body', body], ...variables, ...asked, ...designed]
  // Other messages are not about a visit: the link would be empty.
  const elsewhere = type === 'post_visit' ? undefined : fields.find(([, text = '']) => FEEDBACK.test(text))
  if (elsewhere)
    throw invalidInput({
      path: elsewhere[0] ?? '',
      code: 'only_after_visit',
      message: 'feedback_link is only available after a visit',
    })
  const mistake = await templateMistake(fields.map(([, text = '']) => text))
  if (!mistake) return
  throw invalidInput(mistake.error.problemAt(fields[mistake.index]?.[0] ?? ''))
}

const FEEDBACK = /\bfeedback_link\b/

/**
 * Checks that a message has what its channels need.
 * @throws HttpError 400 that names the field.
 */
export function checkComplete({
  channel,
  fallback_channel,
  subject,
  body,
  content_sid,
  email_design,
}: Pick<
  NewAutomation,
  'channel' | 'fallback_channel' | 'subject' | 'body' | 'content_sid' | 'email_design'
>): void {
  const channels = [channel, fallback_channel]
  const isBlank = body.trim() === ''
  if (channels.includes('email') && !subject?.trim())
    throw invalidInput(required('subject', 'needed to send e-mail'))
  const needsBody = channels.includes('sms') || (channels.includes('email') && email_design === null)
  if (needsBody && isBlank) throw invalidInput(required('body', 'needed to send e-mail or SMS'))
  if (channels.includes('whatsapp') && content_sid === null && isBlank)
    throw invalidInput(required('content_sid', 'needed to send WhatsApp, or a body'))
}

const required = (path: string, message: string): InputProblem => ({ path, code: 'required', message })

/**
 * Checks that locations, tiers, segment and the images of the design exist, and that the person works in these locations.
 * @throws HttpError 400 that names the field.
 */
export async function checkReferences(
  session: Pick<Session, 'db' | 'user_id' | 'role'>,
  { location_ids, tier_ids = [], email_design }: AutomationPatch,
  criteria: object,
): Promise<void> {
  // None means every location, which people bound to some may not choose.
  if (location_ids?.length === 0 && (await boundTo(session)))
    throw invalidInput({
      path: 'location_ids',
      code: 'name_yours',
      message: 'name the locations you work in',
    })
  if (location_ids && location_ids.length > 0) {
    const found = unwrap(await session.db.from('locations').select('id').in('id', location_ids))
    if (found?.length !== location_ids.length)
      throw invalidInput({ path: 'location_ids', code: 'unknown', message: 'not one of your locations' })
  }
  if (email_design) await checkImages(session, imagesOfDesign(email_design))
  if ('segment_id' in criteria && criteria.segment_id !== undefined)
    await checkSegment(session, String(criteria.segment_id))
  const minTier = 'min_tier' in criteria ? criteria.min_tier : undefined
  if (tier_ids.length === 0 && minTier === undefined) return
  const tiers = await listTiers(session)
  if (!tier_ids.every((id) => tiers.some((tier) => tier.id === id)))
    throw invalidInput({ path: 'tier_ids', code: 'unknown', message: 'not one of your tiers' })
  if (minTier !== undefined && !tiers.some(({ name }) => name === minTier))
    throw invalidInput({ path: 'criteria.min_tier', code: 'unknown', message: 'no such tier' })
}

/**
 * Checks that a shared segment is there.
 * @throws HttpError 400 that names `path`.
 */
export async function checkSegment(
  { db }: Pick<Session, 'db'>,
  id: string,
  path = 'criteria.segment_id',
): Promise<void> {
  const found = db.from('segments').select('id').match({ id, shared: true })
  if (!unwrap(await found.maybeSingle()))
    throw invalidInput({ path, code: 'unknown', message: 'no such shared segment' })
}

const int = (min: number, max: number) => z.int().min(min).max(max)

/** Only guests of this segment, which must be shared. */
const segment_id = z.guid().toLowerCase().optional()

/** Each type's criteria with their defaults, which private.audience_parts repeats. */
const CRITERIA = {
  /** From `days_before` the birthday, once a year. */
  birthday: z.strictObject({ days_before: int(0, 60).default(7), segment_id }),
  /** To customers without a visit for `inactive_days`, once in 90 days. */
  reengagement: z.strictObject({
    inactive_days: int(1, 3650).default(90),
    min_visits: int(0, 100_000).default(1),
    segment_id,
  }),
  /** To customers of the tier or a higher one, or with this spend (EUR), once in 60 days. */
  vip_reward: z
    .strictObject({
      min_tier: z.string().max(60).trim().min(1).optional(),
      min_spend: z.number().min(0).max(9_999_999_999).optional(),
      segment_id,
    })
    .transform((criteria) =>
      criteria.min_tier === undefined && criteria.min_spend === undefined
        ? { ...criteria, min_tier: 'Oro' }
        : criteria,
    ),
  /** From hours_after to window_hours after a visit's time, once a reservation. */
  post_visit: z
    .strictObject({
      hours_after: int(0, 720).default(24),
      window_hours: int(1, 2160).default(72),
      segment_id,
    })
    .refine(({ hours_after, window_hours }) => window_hours > hours_after, {
      path: ['window_hours'],
      ...problemAs('before_window', 'must be more than hours_after'),
    }),
  /**
   * To customers with a confirmed reservation ahead, once a reservation. With `answers` they are asked `question`, what
   * they answer within answer_hours is understood, and who does not is asked again nudge_hours before.
   */
  reservation_confirmation: z
    .strictObject({
      answers: z.boolean().default(false),
      question: z.string().max(300).trim().min(1).default('Responde 1 para confirmar o 2 para cancelar.'),
      answer_hours: int(1, 720).default(72),
      nudge_hours: int(1, 168).optional(),
      segment_id,
    })
    .transform(({ segment_id: segment, ...criteria }) => ({
      ...(criteria.answers && criteria),
      ...(segment !== undefined && { segment_id: segment }),
    })),
} satisfies Record<AutomationType, z.ZodType>

/** The criteria with what was left out; fails with the path of what is wrong. */
export const completeCriteria = (type: AutomationType, criteria: object) =>
  CRITERIA[type].safeParse(criteria, { reportInput: true })
