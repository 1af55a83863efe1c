'use client'
import { useTranslations } from 'next-intl'
import { badVariable } from '@/components/automations/editor/draft'
import type { OwnTexts } from '@/components/forms/error-text'
import { AFTER_DAYS, EXCLUDE_RECENT_DAYS, TEST_HOURS, TEST_SHARE } from '@/lib/campaigns/limits'
import { CONTROL_SHARE } from '@/lib/organization/limits'
import { type CampaignDraft, messagePaths, secondOf } from './draft'

/** The paths of the campaign's messages in the API, in their order, each with its message. */
function messagesOf(draft: CampaignDraft) {
  const paths = messagePaths(draft)
  return [
    { at: paths.first, message: draft.first },
    ...(draft.hasTest ? [{ at: paths.second, message: secondOf(draft) }] : []),
    ...draft.followUps.map((message, index) => ({ at: paths.followUp(index), message })),
  ]
}

/** The path of the first template variable with a bad name; null when all are good. */
export function badVariablePath(draft: CampaignDraft): string | null {
  for (const { at, message } of messagesOf(draft)) {
    const name = badVariable(message)
    if (name !== null) return `${at}content_variables.${name}`
  }
  return null
}

/** The editor's own messages for problems of its fields, in place of the general ones. */
export function useOwnTexts(draft: CampaignDraft): OwnTexts {
  const t = useTranslations('client.campaignEditor.problems')
  const shared = useTranslations('client.automationEditor.problems')
  const bad = badVariablePath(draft)
  const ofMessages = messagesOf(draft).flatMap(({ at }) => {
    return [
      [`${at}subject:required`, shared('subject')],
      [`${at}body:required`, shared('body')],
      [`${at}content_sid:required`, shared('sidNeeded')],
      [`${at}content_sid:invalid_format`, shared('sid')],
      [`${at}after_days`, t('whole', AFTER_DAYS)],
    ] as const
  })
  return {
    INVALID_INPUT: shared('notSaved'),
    segment_id: t('segment'),
    starts_local: t('start'),
    location_ids: shared('location'),
    exclude_recent_days: t('whole', EXCLUDE_RECENT_DAYS),
    control_share: shared('controlShare', CONTROL_SHARE),
    'ab.test_share': t('whole', TEST_SHARE),
    'ab.test_hours': t('whole', TEST_HOURS),
    ...Object.fromEntries(ofMessages),
    ...(bad === null ? {} : { [`${bad}:required`]: shared('variable') }),
  }
}
