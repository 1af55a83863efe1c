import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { anonymousAttempts } from '@/lib/auth/limits'
import { readFormEntries } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { takeAttempts } from '@/lib/http/rate-limit'
import { unsubscribeForm, wishesForm } from './operations'
import { savePreferences } from './preferences'
import { changeSubscription, type Link, subscriptionHref } from './unsubscribe'

type Posted = ReadonlyMap<string, readonly string[]>
const WISHES = Object.keys(wishesForm.shape)
const LISTS = ['channels', 'brands']
const pageForm = unsubscribeForm.pick({ action: true, 'List-Unsubscribe': true, language: true })

/**
 * Handles the form that a click, the page or a mail program posts to an unsubscribe link.
 * @throws HttpError 404 for an invalid token; 400, 413 or 415 for a malformed form; 429 for preferences too often.
 */
export async function postUnsubscribe(request: Request, link: Link): Promise<Response | { success: true }> {
  const posted: Posted = fieldsOf(await readFormEntries(request))
  const form = pageForm.safeParse(Object.fromEntries([...posted].map(([name, [first]]) => [name, first])))
  if (!form.success) throw new HttpError('MALFORMED_FORM')
  const { language, 'List-Unsubscribe': oneClick } = form.data
  const chooses = oneClick === undefined && WISHES.some((name) => posted.has(name))
  const action = form.data.action ?? (chooses ? 'preferences' : undefined)
  const back = (more: Record<string, string> = {}) =>
    new Response(null, { status: 303, headers: { Location: subscriptionHref(link, language, more) } })
  if (action === 'preferences') {
    try {
      await choose(request, link, posted)
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'MALFORMED_FORM' || !fromBrowser(request))
        throw error
      return back({ refused: '1', ...chosen(posted) })
    }
    return back({ saved: '1' })
  }
  // The page's buttons have the language that its guest chose there. A spoilt one does not stand in the way of a no.
  const guest_language = wishesForm.shape.guest_language.safeParse(posted.get('guest_language')?.[0]).data
  if (action === 'unsubscribe' && posted.get('frequency')?.[0] === 'none')
    await savePreferences(link, { frequency: 'none', guest_language })
  else {
    await changeSubscription(link, action ?? 'unsubscribe')
    if (action && guest_language) await savePreferences(link, { guest_language })
  }
  return action ? back() : { success: true }
}

async function choose(request: Request, link: Link, posted: Posted): Promise<void> {
  const wishes = wishesForm.safeParse(
    Object.fromEntries(
      WISHES.filter((name) => posted.has(name)).map((name) => [
        name,
        LISTS.includes(name) ? listOf(posted, name) : posted.get(name)?.[0] || undefined,
      ]),
    ),
  )
  if (!wishes.success) throw new HttpError('MALFORMED_FORM')
  // A no is never too much.
  if (wishes.data.frequency !== 'none') {
    const key = createHash('sha256').update(link.token).digest('base64url')
    await takeAttempts(anonymousAttempts('preferences', request, key))
  }
  await savePreferences(link, wishes.data)
}

const fieldsOf = (entries: [string, string][]): Posted =>
  new Map(
    [...Map.groupBy(entries, ([name]) => name)].map(([name, each]) => [name, each.map(([, text]) => text)]),
  )

/** The values of a list: repeated, divided by commas, or both. The empty one says that the form has the field. */
const listOf = (posted: Posted, name: string): string[] => [
  ...new Set((posted.get(name) ?? []).flatMap((text) => text.split(',')).filter((text) => text !== '')),
]

const fromBrowser = (request: Request) => request.headers.get('accept')?.includes('text/html') ?? false

const chosenQuery = z.object({
  saved: z.literal('1').optional().catch(undefined),
  refused: z.literal('1').optional().catch(undefined),
  channels: z.string().optional().catch(undefined),
  frequency: wishesForm.shape.frequency.catch(undefined),
  brands: z.string().optional().catch(undefined),
  guest_language: wishesForm.shape.guest_language.catch(undefined),
})

/** What the page's address says: that the choice was saved, or refused, and then what it was. */
export interface Chosen {
  saved: boolean
  /** Of a refused form; what it did not have is absent. */
  refused: {
    channels?: string[] | undefined
    frequency?: z.infer<typeof wishesForm>['frequency']
    brands?: string[] | undefined
    guest_language?: z.infer<typeof wishesForm>['guest_language']
  } | null
}

/** Reads the query of the page; whatever is spoilt in it counts as absent. */
export function chosenOf(query: Record<string, string | string[] | undefined>): Chosen {
  const { saved, refused, channels, brands, ...rest } = chosenQuery.parse(query)
  const lists = { channels: channels?.split(','), brands: brands?.split(',') }
  return { saved: saved !== undefined, refused: refused === undefined ? null : { ...lists, ...rest } }
}

/** The fields of a refused form, for the page's address. */
const chosen = (posted: Posted): Record<string, string> =>
  Object.fromEntries(
    WISHES.filter((name) => posted.has(name))
      .map((name) => [name, listOf(posted, name).join(',')] as const)
      .filter(([, text]) => text.length < 4000),
  )
