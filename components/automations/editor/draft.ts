import { EUR, numberOrText, showNumber } from '@/components/forms/numbers'
import type { Automation } from '@/lib/automations/schema'
import { type AutomationType, type CriteriaNumber, numbersOf } from '@/lib/automations/types'
import type { EmailDesign } from '@/lib/email-design/schema'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import type { Channel } from '@/lib/messaging/channels'

/** One variable of a WhatsApp template; `key` identifies its row. */
export interface Variable {
  key: number
  name: string
  value: string
}

/** The text of a message in a further language. */
export interface VersionText extends Pick<Draft, 'subject' | 'body' | 'emailDesign'> {
  language: GuestLanguage
}

/** An automation as the form holds it: numbers and lists as typed. */
export interface Draft {
  name: string
  type: AutomationType
  criteria: Record<string, string>
  location_ids: string[]
  tier_ids: string[]
  tags: string
  /** In per cent; empty: the organization's share. */
  controlShare: string
  channel: Channel
  fallback: Channel | ''
  subject: string
  body: string
  /** The blocks of the e-mail; null: `body` is the e-mail. */
  emailDesign: EmailDesign | null
  /** The message in further languages. */
  versions: VersionText[]
  contentSid: string
  variables: Variable[]
}

/** What one message says, and by which channels. */
export type MessageText = Pick<
  Draft,
  'channel' | 'fallback' | 'subject' | 'body' | 'emailDesign' | 'versions' | 'contentSid' | 'variables'
>

/** The props of every step of the editor. */
export interface StepProps {
  draft: Draft
  change: (changes: Partial<Draft>) => void
  /** The message at a field with a problem, by the field's path in the API. */
  errorAt: (field: string) => string | undefined
}

/** The criteria that are no numbers. */
const OTHERS: Partial<Record<AutomationType, Record<string, string>>> = {
  vip_reward: { min_tier: 'Oro' },
  reservation_confirmation: { answers: '', question: '' },
}

const defaultsOf = (type: AutomationType): Record<string, string> => ({
  ...OTHERS[type],
  ...Object.fromEntries(numbersOf(type).map(([name, { initial }]) => [name, String(initial ?? '')])),
})

/** The initial criteria of a type. A tier is preset only when the organization has it. */
export function defaultCriteria(type: AutomationType, tiers: readonly string[]): Record<string, string> {
  const criteria = defaultsOf(type)
  if (criteria.min_tier && !tiers.includes(criteria.min_tier)) criteria.min_tier = tiers.at(-1) ?? ''
  return criteria
}

/** An empty form for a type. */
export function newDraft(type: AutomationType, name: string, tiers: readonly string[]): Draft {
  return {
    name,
    type,
    criteria: defaultCriteria(type, tiers),
    location_ids: [],
    tier_ids: [],
    tags: '',
    controlShare: '',
    channel: 'email',
    fallback: '',
    subject: '',
    body: '',
    emailDesign: null,
    versions: [],
    contentSid: '',
    variables: [],
  }
}

/** A saved automation in the form, its numbers in that language. */
export function draftOf(automation: Automation, locale: string): Draft {
  const { name, type, channel, subject, body, content_sid, location_ids, tier_ids } = automation
  const saved = Object.entries(automation.criteria).map(([key, value]) => [
    key,
    typeof value === 'number' ? showNumber(value, locale) : String(value),
  ])
  const empty = Object.fromEntries(Object.keys(defaultsOf(type)).map((key) => [key, '']))
  const variables = Object.entries(automation.content_variables)
  return {
    name,
    type,
    criteria: { ...empty, ...Object.fromEntries(saved) },
    location_ids,
    tier_ids,
    tags: automation.tags.join(', '),
    controlShare: String(automation.control_share ?? ''),
    channel,
    fallback: automation.fallback_channel ?? '',
    subject: subject ?? '',
    body,
    emailDesign: automation.email_design,
    versions: versionsOf(automation),
    contentSid: content_sid ?? '',
    variables: variables.map(([variable, value], key) => ({ key, name: variable, value })),
  }
}

/**
 * Returns the form, written in that language, as the API takes it, without name and status. Text that is not a number
 * is sent as typed, so that the API reports it at the field.
 */
export function bodyOf(draft: Draft, locale: string) {
  const isUnasked = draft.type === 'reservation_confirmation' && draft.criteria.answers !== 'true'
  const criteria = Object.entries(
    isUnasked ? { segment_id: draft.criteria.segment_id ?? '' } : draft.criteria,
  )
    .map(([key, text]) => [key, text.trim()] as const)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => [key, criterionOf(draft.type, key, text, locale)])
  const tags = draft.tags.split(',').map((tag) => tag.trim())
  return {
    type: draft.type,
    channel: draft.channel,
    fallback_channel: draft.fallback || null,
    subject: draft.subject.trim() || null,
    body: draft.body,
    content_sid: draft.contentSid.trim() || null,
    email_design: uses(draft, 'email') ? draft.emailDesign : null,
    versions: versionsIn(draft),
    content_variables: Object.fromEntries(draft.variables.map(({ name, value }) => [name.trim(), value])),
    criteria: Object.fromEntries(criteria),
    location_ids: draft.location_ids,
    tags: tags.filter((tag) => tag !== ''),
    tier_ids: draft.tier_ids,
    control_share: draft.controlShare.trim() === '' ? null : numberOrText(draft.controlShare, locale),
  }
}

/** The further languages of a stored message in the form. */
export const versionsOf = ({ versions }: Pick<Automation, 'versions'>): VersionText[] =>
  versions.map(({ language, subject, body, email_design }) => ({
    ...{ language, subject: subject ?? '', body, emailDesign: email_design },
  }))

/** The further languages of a form, as the API takes them. */
export const versionsIn = (message: Pick<Draft, 'channel' | 'fallback' | 'versions'>) =>
  message.versions.map(({ language, subject, body, emailDesign }) => ({
    ...{ language, subject: subject.trim() || null, body },
    email_design: uses(message, 'email') ? emailDesign : null,
  }))

/** Returns the name of the first template variable that is empty, invalid or used twice; null when all are valid. */
export function badVariable({ variables }: Pick<Draft, 'variables'>): string | null {
  const names = variables.map(({ name }) => name.trim())
  const bad = names.find(
    (name, at) => !/^[A-Za-z0-9][A-Za-z0-9_]{0,39}$/.test(name) || names.indexOf(name) < at,
  )
  return bad ?? null
}

const TEXTS = ['min_tier', 'question', 'segment_id']

const criterionOf = (type: AutomationType, key: string, text: string, locale: string) => {
  if (key === 'answers') return text === 'true'
  return TEXTS.includes(key) ? text : numberOrText(text, locale, kindOf(type, key as CriteriaNumber))
}

/** Which numbers a criterion takes. Those with decimals are amounts. */
export const kindOf = (type: AutomationType, criterion: CriteriaNumber) =>
  numbersOf(type).some(([name, { decimal }]) => name === criterion && decimal) ? EUR : {}

/** Whether the automation uses the channel, as first choice or as fallback. */
export const uses = ({ channel, fallback }: Pick<Draft, 'channel' | 'fallback'>, wanted: Channel) =>
  channel === wanted || fallback === wanted
