import { openLink, sealLink, UUID_BYTES, uuidBytes, uuidOf } from '@/lib/messaging/link-token'

const PURPOSE = 'feedback'

/** The message of the example link that previews and tests of automations show; no message has this id. */
export const EXAMPLE_MESSAGE = '00000000-0000-0000-0000-000000000000'

/**
 * The token of a survey's link: the id of the message that carries it, sealed. It contains no name: the message
 * leads to the visit and to the time of sending.
 * @param derived a `linkKey`
 */
export const surveyToken = (messageId: string, derived: Uint8Array): string =>
  sealLink(uuidBytes(messageId), derived, PURPOSE)

/** The message's id in a token; null when the token is invalid. */
export function openSurveyToken(token: string, derived: Uint8Array): string | null {
  const plain = openLink(token, derived, PURPOSE)
  return plain?.length === UUID_BYTES ? uuidOf(plain) : null
}
