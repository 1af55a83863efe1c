import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { boundTo } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { checkImages } from '@/lib/email-design/images'
import { imagesOfDesign, textsOfDesign } from '@/lib/email-design/schema'
import { invalidInput } from '@/lib/http/errors'
import { text } from '@/lib/http/fields'
import { type InputProblem, problemAs, problemsOf } from '@/lib/http/issues'
import { listTiers } from '@/lib/loyalty/tiers'
import { templateMistake } from '@/lib/messaging/template'
import type { AutomationPatch, NewAutomation } from './schema'
import { AUTOMATION_TYPES, type AutomationType, aboutOf, numbersOf } from './types'

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
  automation: Pick<NewAutomation, 'subject' | 'body' | 'content_variables' | 'email_design' | 'versions'> & {
    type: string
    criteria: object
  },
): Promise<void> {
  const { type, content_variables, criteria } = automation
  const { question } = criteria as { question?: unknown }
  const variables = Object.entries(content_variables).map(([name, text]) => [
    `content_variables.${name}`,
    text,
  ])
  const asked = typeof question === 'string' ? [['criteria.question', question]] : []
  const fields = [
    ...textsIn(automation, ''),
    ...variables,
    ...asked,
    ...automation.versions.flatMap((version, index) => textsIn(version, `versions.${index}.`)),
  ]
  // Other messages are not about a visit: the link would be empty.
  const elsewhere =
    aboutOf(type) === 'visit' ? undefined : fields.find(([, text = '']) => FEEDBACK.test(text))
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

type Texts = Pick<NewAutomation, 'subject' | 'body' | 'email_design'>

/** The texts of a message, or of one of its versions, with their fields behind `at`. */
const textsIn = ({ subject, body, email_design }: Texts, at: string): [string, string][] => [
  [`${at}subject`, subject ?? ''],
  [`${at}body`, body],
  ...(email_design ? textsOfDesign(email_design) : []).map(({ path, text }): [string, string] => [
    `${at}email_design.${path}`,
    text,
  ]),
]

const FEEDBACK = /\bfeedback_link\b/

/**
 * Checks that a message has what its channels need, in each of its languages.
 * @throws HttpError 400 that names the field.
 */
export function checkComplete({
  channel,
  fallback_channel,
  content_sid,
  versions,
  ...own
}: Texts & Pick<NewAutomation, 'channel' | 'fallback_channel' | 'content_sid' | 'versions'>): void {
  const channels = [channel, fallback_channel]
  const required = (path: string, message: string): InputProblem => ({ path, code: 'required', message })
  for (const [index, { subject, body, email_design }] of [own, ...versions].entries()) {
    const at = index === 0 ? '' : `versions.${index - 1}.`
    const isBlank = body.trim() === ''
    if (channels.includes('email') && !subject?.trim())
      throw invalidInput(required(`${at}subject`, 'needed to send e-mail'))
    const needsBody = channels.includes('sms') || (channels.includes('email') && email_design === null)
    if (needsBody && isBlank) throw invalidInput(required(`${at}body`, 'needed to send e-mail or SMS'))
    if (channels.includes('whatsapp') && content_sid === null && isBlank)
      throw invalidInput(
        index === 0
          ? required('content_sid', 'needed to send WhatsApp, or a body')
          : required(`${at}body`, 'needed to send WhatsApp'),
      )
  }
}

/**
 * Checks that locations, tiers, segment and the images of the design exist, and that the person works in these locations.
 * @throws HttpError 400 that names the field.
 */
export async function checkReferences(
  session: Pick<Session, 'db' | 'user_id' | 'role'>,
  { location_ids, tier_ids = [], email_design, versions = [] }: AutomationPatch,
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
  await checkImages(session, [
    { field: 'email_design', images: email_design ? imagesOfDesign(email_design) : [] },
    ...versions.map(({ email_design: design }, index) => ({
      field: `versions.${index}.email_design`,
      images: design ? imagesOfDesign(design) : [],
    })),
  ])
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

/** An automation writes for the group, without end: its segment is one that others see. */
async function checkSegment({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const found = db.from('segments').select('id').match({ id, shared: true })
  if (!unwrap(await found.maybeSingle()))
    throw invalidInput({
      path: 'criteria.segment_id',
      code: 'unknown',
      message: 'no such shared segment',
    })
}

/** Only guests of this segment, which must be shared. */
const segment_id = z.guid().toLowerCase().optional()

type Criteria = z.ZodType<Record<string, unknown>>

/** The numbers of a type's criteria (types.ts); a window must end after it begins. */
function criteriaOf(type: AutomationType, more: z.ZodRawShape = {}): Criteria {
  const numbers = numbersOf(type).map(([name, { min, max, initial, decimal }]) => {
    const number = decimal ? z.number().min(min).max(max) : z.int().min(min).max(max)
    return [name, initial === undefined ? number.optional() : number.default(initial)]
  })
  return z
    .strictObject({ ...more, ...Object.fromEntries(numbers), segment_id })
    .refine(({ hours_after, window_hours }) => !(Number(window_hours) <= Number(hours_after)), {
      path: ['window_hours'],
      ...problemAs('before_window', 'must be more than hours_after'),
    })
}

/** The criteria of types that have more than numbers. */
const OWN_CRITERIA: Partial<Record<AutomationType, Criteria>> = {
  vip_reward: criteriaOf('vip_reward', {
    min_tier: text(60).min(1).optional(),
  }).transform((criteria) =>
    criteria.min_tier === undefined && criteria.min_spend === undefined
      ? { ...criteria, min_tier: 'Oro' }
      : criteria,
  ),
  reservation_confirmation: criteriaOf('reservation_confirmation', {
    answers: z.boolean().default(false),
    question: text(300).min(1).default('Responde 1 para confirmar o 2 para cancelar.'),
  }).transform(({ segment_id: segment, ...criteria }) => ({
    ...(criteria.answers === true && criteria),
    ...(segment !== undefined && { segment_id: segment }),
  })),
}

const CRITERIA = Object.fromEntries(
  AUTOMATION_TYPES.map((type) => [type, OWN_CRITERIA[type] ?? criteriaOf(type)]),
) as Record<AutomationType, Criteria>

/** The criteria with what was left out; fails with the path of what is wrong. */
export const completeCriteria = (type: AutomationType, criteria: object) =>
  CRITERIA[type].safeParse(criteria, { reportInput: true })
