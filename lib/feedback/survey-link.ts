import 'server-only'
import { env } from '@/lib/env'
import { linkKey } from '@/lib/messaging/link-token'
import { EXAMPLE_MESSAGE, surveyToken } from './survey-token'

/** The link to the survey of a message; null while the app's public address is unknown. */
export function surveyUrl(messageId: string): string | null {
  const { PUBLIC_URL, SECRETS_KEY } = env()
  return PUBLIC_URL ? `${PUBLIC_URL}/f/${surveyToken(messageId, linkKey(SECRETS_KEY))}` : null
}

/** A link to a page that shows the survey and saves nothing: for previews and test messages. */
export const exampleSurveyUrl = (): string | null => surveyUrl(EXAMPLE_MESSAGE)
