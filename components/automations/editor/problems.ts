'use client'
import { useTranslations } from 'next-intl'
import { type OwnTexts, useErrorText } from '@/components/forms/error-text'
import type { Issue } from '@/lib/http/error-codes'
import { CONTROL_SHARE } from '@/lib/organization/limits'
import { badVariable, type Draft } from './draft'

/** The id of a field of the editor, by its path in the API. */
export const fieldId = (field: string) => `automation-${field.replaceAll('.', '-')}`

/** The editor's own messages for problems of its fields, in place of the general ones. */
export function useOwnTexts(draft: Draft): OwnTexts {
  const t = useTranslations('client.automationEditor.problems')
  const bad = badVariable(draft)
  return {
    INVALID_INPUT: t('notSaved'),
    'subject:required': t('subject'),
    'body:required': t('body'),
    'content_sid:required': t('sidNeeded'),
    'content_sid:invalid_format': t('sid'),
    'criteria.min_tier': t('tier'),
    tier_ids: t('tier'),
    'location_ids:unknown': t('location'),
    tags: t('tags'),
    recipient: t('recipient'),
    control_share: t('controlShare', CONTROL_SHARE),
    ...(bad === null ? {} : { [`content_variables.${bad}:required`]: t('variable') }),
  }
}

/** Returns the message at a field for the first issue about the field or a part of it. */
export function useIssueText(texts: OwnTexts) {
  const words = useErrorText()
  return (issues: readonly Issue[], field: string): string | undefined => {
    const issue = issues.find((each) => {
      const path = fieldOf(each)
      return path === field || path.startsWith(`${field}.`)
    })
    return issue && words.ofIssue({ ...issue, path: field }, texts)
  }
}

/**
 * Maps the issues of a test: the test sends the automation in the field `automation`. A rendering problem is shown at
 * the body.
 */
const fieldOf = ({ path }: Issue): string =>
  path === 'template' ? 'body' : path.replace(/^automation\./, '')
