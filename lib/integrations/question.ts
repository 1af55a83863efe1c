import 'server-only'
import { safeBaseUrl } from '@/lib/address/address'
import { refusalBehind } from '@/lib/address/refusals'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import { AnswerTooLarge, outgoingFetch } from '@/lib/outgoing/fetch'
import type { TestReason, TestResult } from './schema'

// Much more than a hundred of Resend's domains need.
const fetchProvider = outgoingFetch(256 * 1024)

export const works: TestResult = { success: true }
export const failed = (reason: TestReason, error: string): TestResult => ({ success: false, reason, error })

/** A request that costs (almost) nothing, and the meaning of its answer. */
export interface Question {
  baseUrl: string
  path: string
  init: RequestInit
  /** The meaning of an answer with this status and body; null: the usual meaning of the status. */
  judge: (status: number, body: unknown) => TestResult | null
}

/** Asks the provider, for at most `timeoutMs`. */
export async function ask({ baseUrl, path, init, judge }: Question, timeoutMs: number): Promise<TestResult> {
  if (!isHeader(init)) return failed('bad_key', 'the key holds characters that no key has')
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const base = safeBaseUrl(baseUrl, env().ALLOW_LOOPBACK_UPSTREAMS)
    const response = await fetchProvider(`${base}${path}`, { ...init, signal })
    const body = jsonOf(await response.text())
    return judge(response.status, body) ?? usual(response.status)
  } catch (error) {
    const refused = refusalBehind(error)
    if (refused?.reason === 'scheme') return failed('bad_base_url', refused.message)
    if (refused) return failed('inside_address', refused.message)
    if (error instanceof AnswerTooLarge) return failed('not_json', 'the provider answered with too much data')
    if (signal.aborted) return failed('timeout', `the provider did not answer within ${timeoutMs / 1000} s`)
    // Its text may contain the address, its cause the request.
    log().warn({ name: error instanceof Error ? error.name : typeof error }, 'a provider was not reached')
    return failed('unreachable', 'the provider could not be reached')
  }
}

/** Whether the key is a valid header value: a pasted key may contain any characters. */
function isHeader({ headers }: RequestInit): boolean {
  try {
    return Boolean(new Headers(headers))
  } catch {
    return false
  }
}

/** The usual meaning of a status. */
function usual(status: number): TestResult {
  const text = `the provider answered ${status}`
  if (status === 200) return failed('not_json', 'the provider answered with something else')
  if (status === 401 || status === 403) return failed('bad_key', text)
  if (status === 404) return failed('not_found', text)
  if (status === 429) return failed('rate_limited', text)
  return failed(status >= 400 && status < 500 ? 'refused' : 'http_status', text)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
