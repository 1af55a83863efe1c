import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { safeBaseUrl } from '@/lib/address/address'
import { RefusedAddress, refusalBehind } from '@/lib/address/refusals'
import { AnswerTooLarge, outgoingFetch } from '@/lib/outgoing/fetch'

/** How to reach a PMS. `signal` ends all requests (the run's time budget); times are milliseconds. */
export interface PmsConnection {
  baseUrl: string
  apiKey: string
  timeoutMs: number
  signal: AbortSignal
  retryDelaysMs?: readonly number[]
  /** Outside the app, which has ALLOW_LOOPBACK_UPSTREAMS. */
  allowLoopback?: boolean
}

/** What to fetch: a restaurant's reservations between two dates (YYYY-MM-DD, both included). */
export interface PmsQuery {
  slug: string
  from: string
  to: string
}

/** The maximum rows of a page from the PMS; after a full page there is a next one. */
const PMS_PAGE_SIZE = 1000
const MAX_PAGES = 1000
const RETRY_DELAYS_MS = [250, 1000] as const
// A longer wait would take time from the other locations; the next run tries again.
const MAX_PAUSE_MS = 15_000
// Twice a page of a thousand rows of 8 kB each.
const MAX_PAGE_BYTES = 16 * 1024 * 1024

const envelope = z.object({
  resp: z.unknown().optional(),
  error: z.unknown().optional(),
  reservs: z.unknown().optional(),
})

/** Rows as the PMS sent them. `hasError`: with an error beside them, so they may be a part. */
interface Rows {
  rows: unknown[]
  hasError: boolean
}

/**
 * The rows of a restaurant, page by page, unparsed. `completes` is true of the last page when every page came, none with
 * an error; after a thousand pages there may be more.
 * @throws PmsError after the retries; its message never contains the URL or the key.
 */
export async function* fetchReservations(
  connection: PmsConnection,
  query: PmsQuery,
): AsyncGenerator<{ rows: unknown[]; completes: boolean }> {
  let isWhole = true
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows, hasError } = await fetchPage(connection, query, page)
    isWhole &&= !hasError
    const isLast = rows.length < PMS_PAGE_SIZE
    yield { rows, completes: isLast && isWhole }
    if (isLast) return
  }
}

async function fetchPage(connection: PmsConnection, query: PmsQuery, page: number): Promise<Rows> {
  const delays = connection.retryDelaysMs ?? RETRY_DELAYS_MS
  for (let attempt = 0; ; attempt++) {
    try {
      return await requestPage(connection, query, page)
    } catch (error) {
      const delay = delays[attempt]
      if (!(error instanceof PmsError) || !error.retry || delay === undefined) throw error
      const pauseMs = Math.max(delay, error.retry.afterSeconds * 1000)
      if (pauseMs > MAX_PAUSE_MS) throw error
      await pause(pauseMs, connection.signal, error)
    }
  }
}

async function requestPage(connection: PmsConnection, query: PmsQuery, page: number): Promise<Rows> {
  const path = [connection.apiKey, query.slug, query.from, query.to, page]
    .map(String)
    .map(encodeURIComponent)
    .join('/')
  const timeout = AbortSignal.timeout(connection.timeoutMs)
  const fetchPms = outgoingFetch(MAX_PAGE_BYTES, connection.allowLoopback)
  try {
    const response = await fetchPms(`${connection.baseUrl}/api/restaurant/get_reservs/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
      signal: AbortSignal.any([timeout, connection.signal]),
    })
    if (!response.ok) throw statusError(response)
    return rowsOf(await response.text())
  } catch (error) {
    if (error instanceof PmsError) throw error
    const refused = refusalBehind(error)
    if (refused) throw addressError(refused)
    if (error instanceof AnswerTooLarge)
      throw new PmsError('not_json', 'the PMS answered with too much data', undefined, 'too_large')
    if (connection.signal.aborted) throw new PmsError('out_of_time', 'the run ended before the PMS answered')
    if (timeout.aborted)
      throw new PmsError('timeout', `the PMS did not answer within ${connection.timeoutMs / 1000} s`)
    throw new PmsError('unreachable', 'the PMS could not be reached', { afterSeconds: 0 })
  }
}

const REASONS: Readonly<Record<number, PmsReason>> = { 401: 'bad_key', 403: 'bad_key', 404: 'not_found' }

function statusError(response: Response): PmsError {
  void response.body?.cancel()
  const retry = { afterSeconds: retryAfter(response.headers) }
  if (response.status === 429) return new PmsError('rate_limited', 'the PMS asks to slow down (429)', retry)
  const text = `the PMS answered ${response.status}`
  return new PmsError(
    'http_status',
    text,
    response.status >= 500 ? retry : undefined,
    REASONS[response.status],
  )
}

/** Seconds of a Retry-After header (a number or an HTTP date); 0 without one. */
function retryAfter(headers: Headers): number {
  const value = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}

function rowsOf(text: string): Rows {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new PmsError('not_json', 'the PMS did not answer with JSON')
  }
  const unexpected = () => {
    const text = 'the PMS answered with something else than reservations'
    return new PmsError('not_json', text, undefined, 'not_reservations')
  }
  const parsed = envelope.safeParse(body)
  if (!parsed.success) throw unexpected()
  const { resp, error, reservs } = parsed.data
  // Number() accepts lists too, and overflows on a deeply nested one.
  const accepted = typeof resp !== 'object' && Number(resp) === 1
  const refused = resp === undefined ? typeof error === 'string' && reservs === undefined : !accepted
  if (refused) throw refusal(error)
  if (!Array.isArray(reservs)) throw unexpected()
  return { rows: reservs, hasError: saysSomething(error) }
}

/** Whether an envelope's `error` is one: not when it is absent, null, false, 0, blank, an empty list, or says OK. */
function saysSomething(error: unknown): boolean {
  if (typeof error === 'string') return !/^(0|false|null|none|ok)?$/i.test(error.trim())
  return typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : Boolean(error)
}

/** The reason of a refusal in our own words, because the PMS's text may contain the key. */
function refusal(error: unknown): PmsError {
  const refused = (why: string, reason?: PmsReason) =>
    new PmsError('refused', `the PMS refused: ${why}`, undefined, reason)
  if (typeof error !== 'string' || error.trim() === '') return refused('no reason given')
  if (/key|token|credential|auth|permission/i.test(error))
    return refused('it does not accept the key', 'bad_key')
  if (/restaurant|location|venue/i.test(error))
    return refused('it does not serve this location', 'unknown_venue')
  return refused('another reason')
}

async function pause(ms: number, signal: AbortSignal, cause: PmsError): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    throw cause
  }
}

/** The reasons why a location could not be fetched. */
export type PmsFailure =
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'http_status'
  | 'not_json'
  | 'refused'
  | 'bad_base_url'
  | 'out_of_time'

/** The cause of a failure, where it is known. */
export type PmsReason =
  | 'bad_key'
  | 'not_found'
  | 'unknown_venue'
  | 'inside_address'
  | 'not_reservations'
  | 'too_large'

/** A failed PMS request. `message` names neither the URL nor the key, so it may be shown and logged. */
export class PmsError extends Error {
  constructor(
    readonly code: PmsFailure,
    message: string,
    /** Present when a retry may succeed; `afterSeconds` is the wait that the PMS requests. */
    readonly retry?: { afterSeconds: number },
    readonly reason?: PmsReason,
  ) {
    super(message)
    this.name = 'PmsError'
  }
}

/**
 * The PMS' base URL, without trailing slash: https on the internet, or loopback when `allowLoopback`.
 * @throws PmsError `bad_base_url`, with the reason.
 */
export function checkedBaseUrl(value: string, allowLoopback: boolean): string {
  try {
    return safeBaseUrl(value, allowLoopback)
  } catch (error) {
    throw error instanceof RefusedAddress ? addressError(error) : error
  }
}

/** A refused address as a failure of the PMS. */
function addressError({ message, reason }: RefusedAddress): PmsError {
  const inside = reason === 'scheme' ? undefined : 'inside_address'
  return new PmsError('bad_base_url', `the PMS address ${message}`, undefined, inside)
}
