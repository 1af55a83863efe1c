/** Browsers accept a cookie with this prefix only over https, from this host, for all its paths. */
const HOST_PREFIX = '__Host-'

const YEAR_SECONDS = 31_536_000

/** The name of a cookie in the browser, with the prefix over https. */
export const hostCookieName = (name: string, https: boolean) => (https ? HOST_PREFIX + name : name)

/** A value for `document.cookie` that stores a choice for a year, or deletes it when the value is empty. */
export function choiceCookie(name: string, value: string): string {
  const https = window.location.protocol === 'https:'
  const age = value === '' ? 0 : YEAR_SECONDS
  return `${hostCookieName(name, https)}=${value};path=/;max-age=${age};samesite=lax${https ? ';secure' : ''}`
}
