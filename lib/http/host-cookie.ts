/** Browsers accept a cookie with this prefix only over https, from this host, for all its paths. */
const HOST_PREFIX = '__Host-'

const YEAR_SECONDS = 31_536_000

/** The name of a cookie in the browser, with the prefix over https. */
export const hostCookieName = (name: string, https: boolean) => (https ? HOST_PREFIX + name : name)

const isSecure = () => window.location.protocol === 'https:'

/** The value of a cookie that scripts may read; null when the browser has none. */
export function cookieOf(name: string): string | null {
  const start = `${hostCookieName(name, isSecure())}=`
  const found = document.cookie.split('; ').find((each) => each.startsWith(start))
  return found?.slice(start.length) || null
}

/** A value for `document.cookie` that stores a choice for a year or so many seconds, or deletes it when it is empty. */
export function choiceCookie(name: string, value: string, seconds = YEAR_SECONDS): string {
  const https = isSecure()
  const age = value === '' ? 0 : seconds
  return `${hostCookieName(name, https)}=${value};path=/;max-age=${age};samesite=lax${https ? ';secure' : ''}`
}
