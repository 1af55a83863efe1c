import { isDeepStrictEqual } from 'node:util'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'
import type { Facts, Template } from './schema'

/** A message in the language that its guest gets. */
export interface Spoken {
  /** Without further versions. */
  template: Template
  language: GuestLanguage
  /** The place of the version among `versions`; null: the message's own text. */
  version: number | null
}

/**
 * The text that a guest gets: the version in their language, else the message's own, which is in the group's. A guest
 * without a language has the group's.
 */
export function spoken(template: Template, facts: Pick<Facts, 'language' | 'group_language'>): Spoken {
  const group = facts.group_language ?? GUEST_LANGUAGES[0]
  const wanted = facts.language ?? group
  const { versions: stored, ...own } = template
  const versions = stored ?? []
  const index = versions.findIndex(({ language }) => language === wanted)
  const version = versions[index]
  if (!version) return { template: { ...own, versions: [] }, language: group, version: null }
  const { language, ...texts } = version
  return { template: { ...own, ...texts, versions: [] }, language, version: index }
}

/** Whether a guest has a language in which the message is not written. A copy of its own text is no version yet. */
export function isForeign(
  { subject, body, email_design, versions }: Template,
  { language, group_language }: Pick<Facts, 'language' | 'group_language'>,
): boolean {
  if (!language || language === (group_language ?? GUEST_LANGUAGES[0])) return false
  const version = versions?.find((one) => one.language === language)
  return !version || isDeepStrictEqual(version, { language, subject, body, email_design })
}
