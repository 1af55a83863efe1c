import 'server-only'
import { z } from 'zod'
import { safeBaseUrl } from '@/lib/address/address'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { enabledTwilioConfigs } from '@/lib/integrations/services/twilio'
import { log } from '@/lib/log'
import { outgoingFetch } from '@/lib/outgoing/fetch'
import { TEMPLATE_STATES, type WhatsAppTemplate } from './template-states'

const TIMEOUT_MS = 8000
const PAGE_SIZE = 200
const MAX_PAGES = 5
const fetchTwilio = outgoingFetch(4 * 1024 * 1024)

const contentSchema = z.object({
  sid: z.string(),
  friendly_name: z.string().nullish(),
  language: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  types: z.record(z.string(), z.record(z.string(), z.unknown())).nullish(),
  approval_requests: z
    .object({ status: z.string().nullish(), rejection_reason: z.string().nullish() })
    .nullish(),
})
const pageSchema = z.object({
  contents: z.array(z.unknown()),
  meta: z.object({ next_page_url: z.string().nullish() }).nullish(),
})

/**
 * The WhatsApp templates of the organization's Twilio account with their state of approval, by name; at most 1,000.
 * @param timeoutMs the time limit for all of Twilio's answers; tests pass a shorter one
 * @throws HttpError 409 without an enabled Twilio integration; 502 when Twilio refuses, or does not answer in time.
 */
export async function listWhatsAppTemplates(
  { organization }: Pick<Session, 'organization'>,
  timeoutMs = TIMEOUT_MS,
): Promise<WhatsAppTemplate[]> {
  const [account] = await enabledTwilioConfigs(serviceDb(), organization.id)
  if (!account) throw new HttpError('TWILIO_NOT_CONFIGURED')
  const basic = Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')
  const signal = AbortSignal.timeout(timeoutMs)
  const { TWILIO_BASE_URL, ALLOW_LOOPBACK_UPSTREAMS } = env()
  const found: WhatsAppTemplate[] = []
  try {
    // Twilio's API for contents has a host of its own.
    const base = safeBaseUrl(TWILIO_BASE_URL.replace('//api.', '//content.'), ALLOW_LOOPBACK_UPSTREAMS)
    let path: string | null = `/v1/ContentAndApprovals?PageSize=${PAGE_SIZE}`
    for (let page = 0; path !== null && page < MAX_PAGES; page++) {
      const headers = { authorization: `Basic ${basic}`, accept: 'application/json' }
      const response = await fetchTwilio(`${base}${path}`, { headers, signal })
      if (!response.ok) throw new Error(`Twilio answered ${response.status}`)
      const { contents, meta } = pageSchema.parse(await response.json())
      found.push(...contents.flatMap(templateOf))
      path = nextPath(meta?.next_page_url)
    }
  } catch (error) {
    // Its text may contain the address.
    log().warn({ name: error instanceof Error ? error.name : typeof error }, 'Twilio gave no templates')
    throw new HttpError('TWILIO_UNAVAILABLE')
  }
  return found.sort((one, other) => one.name.localeCompare(other.name) || one.sid.localeCompare(other.sid))
}

/** The key goes to the configured host only, whatever host the answer names. */
function nextPath(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** A template of Twilio's list; none when it is not one we understand. */
function templateOf(content: unknown): WhatsAppTemplate[] {
  const parsed = contentSchema.safeParse(content)
  if (!parsed.success || !/^HX[0-9a-fA-F]{32}$/.test(parsed.data.sid)) return []
  const { sid, friendly_name, language, variables, types, approval_requests } = parsed.data
  const words = Object.values(types ?? {}).map(({ body, title }) => body ?? title)
  const body = words.find((text): text is string => typeof text === 'string') ?? ''
  const used = [...body.matchAll(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g)].map(([, name = '']) => name)
  const names = [...new Set([...used, ...Object.keys(variables ?? {})])]
  const status = approval_requests?.status === 'received' ? 'pending' : approval_requests?.status
  return [
    {
      sid,
      name: friendly_name || sid,
      language: language ?? '',
      state: TEMPLATE_STATES.find((known) => known === status) ?? 'unsubmitted',
      rejection_reason: approval_requests?.rejection_reason || null,
      body,
      variables: names.toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true })),
    },
  ]
}
