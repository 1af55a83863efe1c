/** Browsers take a cookie with this prefix only over https, from this very host, for all its paths. */
const HOST_PREFIX = '__Host-'

const YEAR_SECONDS = 31_536_000

/** The name under which a browser keeps a cookie of this app. */
export const hostCookieName = (name: string, https: boolean) => (https ? HOST_PREFIX + name : name)

/** For `document.cookie`: keeps a choice for a year in this browser, or deletes it when the value is empty. */
export function choiceCookie(name: string, value: string): string {
  const https = window.location.protocol === 'https:'
  const age = value === '' ? 0 : YEAR_SECONDS
  return `${hostCookieName(name, https)}=${value};path=/;max-age=${age};samesite=lax${https ? ';secure' : ''}`
}
