import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { anonymousAttempts } from '@/lib/auth/limits'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Spoken } from '@/lib/guests/language'
import { readForm } from '@/lib/http/body'
import { HttpError, notFoundError } from '@/lib/http/errors'
import { unstorablePath } from '@/lib/http/json'
import type { Attempts } from '@/lib/http/rate-limit'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'
import { withLinkKeys } from '@/lib/messaging/link-keys'
import { nameInMessage } from '@/lib/messaging/variables'
import ticketWords from '@/lib/tickets/guest-ticket-words.json'
import { surveyForm } from './operations'
import { EXAMPLE_MESSAGE, openSurveyToken } from './survey-token'

const surveySchema = z.object({
  first_name: z.string().nullable(),
  location_name: z.string(),
  score: z.number().nullable(),
  state: z.enum(['open', 'answered', 'closed', 'expired']),
  review_urls: z.array(z.string()),
  language: z.enum(GUEST_LANGUAGES).nullable(),
  group_language: z.enum(GUEST_LANGUAGES),
})

/**
 * What the page of a link shows. `answered` may still be changed, `closed` and `expired` may not; `example` is the link
 * of a preview or a test message.
 */
export interface Survey extends Spoken {
  state: z.infer<typeof surveySchema>['state'] | 'example'
  /** Empty when it is unknown, or looks like an address. */
  firstName: string
  locationName: string
  score: number | null
  /** Where the location may be reviewed in public; none before an answer with five stars. */
  reviewUrls: string[]
}

/** The survey of a link's token; null for an invalid token, or when the visit is no longer theirs. Changes nothing. */
export async function readSurvey(token: string, now = new Date()): Promise<Survey | null> {
  const message = await messageOf(token)
  if (message === null) return null
  if (message === EXAMPLE_MESSAGE) return EXAMPLE
  const parameters = { p_message: message, p_now: now.toISOString() }
  const found = surveySchema.nullable().parse(unwrap(await serviceDb().rpc('feedback_survey', parameters)))
  if (!found) return null
  const { first_name, location_name: locationName, score, state, review_urls: reviewUrls } = found
  const spoken = { language: found.language, groupLanguage: found.group_language }
  return { state, firstName: nameInMessage(first_name), locationName, score, reviewUrls, ...spoken }
}

const EXAMPLE: Survey = {
  ...{ state: 'example', firstName: '', locationName: '', score: null, reviewUrls: [] },
  ...{ language: null, groupLanguage: null },
}

/**
 * Handles the form of the survey's page, and leads back to it.
 * @throws HttpError 404 for an invalid link; 400, 413 or 415 for a malformed form.
 */
export async function postSurvey(request: Request, token: string, now = new Date()): Promise<Response> {
  const form = surveyForm.safeParse(Object.fromEntries(await readForm(request)))
  if (!form.success || unstorablePath(form.data) !== null) throw new HttpError('MALFORMED_FORM')
  const message = await messageOf(token)
  if (message === null) throw notFoundError()
  const { score, words, language, guest_language } = form.data
  if (message !== EXAMPLE_MESSAGE) {
    const parameters = {
      ...{ p_message: message, p_score: score, p_words: words, p_language: language },
      p_ticket_words: ticketWords.feedback,
      p_now: now.toISOString(),
    }
    const outcome = unwrap(await serviceDb().rpc('save_feedback', parameters))
    if (outcome === 'not_found') throw notFoundError()
    if (outcome === 'saved' && guest_language)
      unwrap(
        await serviceDb().rpc('save_survey_language', { p_message: message, p_language: guest_language }),
      )
  }
  return new Response(null, { status: 303, headers: { Location: surveyHref(token, guest_language) } })
}

/** The address of a survey's page, in a language that its guest chose. */
export const surveyHref = (token: string, chosen?: GuestLanguage | null): string =>
  `/f/${token}${chosen ? `?lang=${chosen}` : ''}`

/** The limits of the form: 10 posts a minute a link, 60 a network. Links are counted by their hash. */
export const surveyAttempts = (request: Request, token: string): Attempts =>
  anonymousAttempts('feedback', request, createHash('sha256').update(token).digest('base64url'))

/** The message that a survey's link stands in; none of a preview's or test's. */
export async function surveyedMessage(token: string): Promise<string | undefined> {
  const message = await messageOf(token)
  return message === null || message === EXAMPLE_MESSAGE ? undefined : message
}

const messageOf = (token: string) => withLinkKeys(token, openSurveyToken)
