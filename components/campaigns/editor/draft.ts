import { type MessageText, versionsIn, versionsOf } from '@/components/automations/editor/draft'
import type { MessageSurroundings } from '@/components/automations/editor/message-step'
import { numberOrText } from '@/components/forms/numbers'
import type { Campaign, CampaignMessage } from '@/lib/campaigns/schema'

/** A follow-up as the form holds it; `key` identifies it while others come and go. */
export interface FollowUp extends MessageText {
  key: number
  /** In days, as typed. */
  afterDays: string
}

/** A campaign as the form holds it: numbers as typed. */
export interface CampaignDraft {
  name: string
  segment_id: string
  location_ids: string[]
  excludeDays: string
  /** In per cent; empty: the organization's share. */
  controlShare: string
  first: MessageText
  hasTest: boolean
  /** Version B; its channels are those of the first message. */
  second: MessageText
  testShare: string
  winnerBy: 'visits' | 'clicks'
  testHours: string
  followUps: FollowUp[]
  when: 'now' | 'at'
  /** `2026-12-01T11:00`, the guests' local time. */
  start: string
}

/** What the fields of its e-mails and SMS show besides the text. */
export type EmailSurroundings = Pick<MessageSurroundings, 'look' | 'imageBase' | 'smsPrice' | 'languages'>

/** The props of every part of the editor. */
export interface PartProps {
  draft: CampaignDraft
  change: (changes: Partial<CampaignDraft>) => void
  /** The message at a field with a problem, by the field's path in the API. */
  errorAt: (field: string) => string | undefined
}

const EMPTY: MessageText = {
  channel: 'email',
  fallback: '',
  subject: '',
  body: '',
  emailDesign: null,
  versions: [],
  contentSid: '',
  variables: [],
}

/** An empty form, with the segment that the person came from. */
export function newDraft(name: string, segment_id = ''): CampaignDraft {
  return {
    name,
    segment_id,
    location_ids: [],
    excludeDays: '7',
    controlShare: '',
    first: EMPTY,
    hasTest: false,
    second: EMPTY,
    testShare: '20',
    winnerBy: 'visits',
    testHours: '24',
    followUps: [],
    when: 'now',
    start: '',
  }
}

/** A saved campaign in the form. */
export function draftOf(campaign: Campaign): CampaignDraft {
  const { name, segment_id, location_ids, exclude_recent_days, control_share, ab, starts_local } = campaign
  const usual = newDraft('')
  const at = (step: number, variant: 'a' | 'b') =>
    campaign.messages.find((message) => message.step === step && message.variant === variant)
  const first = at(1, 'a')
  const second = at(1, 'b')
  return {
    ...usual,
    name,
    segment_id: segment_id ?? '',
    location_ids,
    excludeDays: String(exclude_recent_days),
    controlShare: String(control_share ?? ''),
    first: first ? textOf(first) : EMPTY,
    hasTest: ab !== null,
    second: second ? textOf(second) : EMPTY,
    ...(ab
      ? { testShare: String(ab.test_share), winnerBy: ab.winner_by, testHours: String(ab.test_hours) }
      : {}),
    followUps: campaign.messages
      .filter(({ step }) => step > 1)
      .sort((one, other) => one.step - other.step)
      .map((message) => ({
        key: message.step,
        afterDays: String(message.after_days ?? ''),
        ...textOf(message),
      })),
    when: starts_local === null ? 'now' : 'at',
    start: starts_local?.slice(0, 16) ?? '',
  }
}

function textOf(message: CampaignMessage): MessageText {
  const { channel, fallback_channel, subject, body, email_design, content_sid, content_variables } = message
  const variables = Object.entries(content_variables)
  return {
    channel,
    fallback: fallback_channel ?? '',
    subject: subject ?? '',
    body,
    emailDesign: email_design,
    versions: versionsOf(message),
    contentSid: content_sid ?? '',
    variables: variables.map(([name, value], key) => ({ key, name, value })),
  }
}

/**
 * Returns the form, written in that language, as the API takes it. Text that is not a number is sent as typed, so that
 * the API reports it at the field. The messages are in the order of `messagePaths`.
 */
export function bodyOf(draft: CampaignDraft, locale: string) {
  const numberOf = (text: string) => numberOrText(text, locale)
  return {
    name: draft.name.trim(),
    segment_id: draft.segment_id || null,
    location_ids: draft.location_ids,
    starts_local: draft.when === 'now' ? null : draft.start,
    exclude_recent_days: draft.excludeDays.trim() === '' ? 0 : numberOf(draft.excludeDays),
    control_share: draft.controlShare.trim() === '' ? null : numberOf(draft.controlShare),
    ab: draft.hasTest
      ? {
          test_share: numberOf(draft.testShare),
          winner_by: draft.winnerBy,
          test_hours: numberOf(draft.testHours),
        }
      : null,
    messages: [
      { step: 1, variant: 'a', after_days: null, ...messageOf(draft.first) },
      ...(draft.hasTest ? [{ step: 1, variant: 'b', after_days: null, ...messageOf(secondOf(draft)) }] : []),
      ...draft.followUps.map(({ afterDays, ...text }, at) => ({
        ...{ step: at + 2, variant: 'a', after_days: numberOf(afterDays) },
        ...messageOf(text),
      })),
    ],
  }
}

/** Version B with the channels of the first message: a test compares texts, not channels. */
export const secondOf = ({ first, second }: CampaignDraft): MessageText => ({
  ...second,
  channel: first.channel,
  fallback: first.fallback,
})

/** What stands before the fields of each message in the API's paths: of the first, of version B, of follow-up n. */
export const messagePaths = (draft: Pick<CampaignDraft, 'hasTest'>) => ({
  first: 'messages.0.',
  second: 'messages.1.',
  followUp: (index: number) => `messages.${index + (draft.hasTest ? 2 : 1)}.`,
})

function messageOf(message: MessageText) {
  const { channel, fallback, subject, body, emailDesign, contentSid, variables } = message
  return {
    channel,
    fallback_channel: fallback || null,
    subject: subject.trim() || null,
    body,
    email_design: emailDesign,
    versions: versionsIn(message),
    content_sid: contentSid.trim() || null,
    content_variables: Object.fromEntries(variables.map(({ name, value }) => [name.trim(), value])),
  }
}
