import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import type { CookieJar } from './cookie-jar'

/**
 * A browser has this cookie for some seconds after a request that may have changed data. Until then its reads go to the
 * primary, so that people see their own changes. The browser forgets it: no clocks to compare, nothing to store.
 */
const COOKIE = 'changed'

// A replica is read when it is at most 5 s behind; the measurement holds for 2 s and takes at most 1 s.
const SECONDS = 10
/** Work that goes on after the answer has begun: a stream, or a 202. No function runs for longer. */
const LONG_SECONDS = 300 + SECONDS
const STREAMS = /^(application\/x-ndjson|text\/event-stream)/

/** Notes in the browser that it has changed something. */
export function markChange(cookies: CookieJar, answer: Response): void {
  const goesOn = answer.status === 202 || STREAMS.test(answer.headers.get('content-type') ?? '')
  cookies.setAll?.([{ name: COOKIE, value: '1', options: { maxAge: goesOn ? LONG_SECONDS : SECONDS } }], {})
}

/** Whether the browser has just changed something, by the names of its cookies. */
export function hasJustChanged(cookies: readonly { name: string }[], headers: Headers): boolean {
  const name = hostCookieName(COOKIE, isHttps(headers))
  return cookies.some((cookie) => cookie.name === name)
}
