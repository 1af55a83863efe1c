/** The parameter of a page's address that names the location of its tab. */
export const LOCATION_PARAMETER = 'location'

/** The parameter's value for all locations. */
export const ALL_LOCATIONS = 'all'

/** The cookie with the location chosen last: used when a visit starts with an address without location (proxy.ts). */
export const LOCATION_COOKIE = 'sobremesa_location'

const LOCATION = /^(all|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i

/** Whether a text is a valid value of the parameter: a location's id, or all locations. */
export const isLocationChoice = (text: string | null | undefined): text is string => LOCATION.test(text ?? '')

/** Adds the tab's location to a page's address, unless the address already names one. */
export function inTab(address: string, location: string | null | undefined): string {
  if (!address.startsWith('/')) return address
  // A view that was saved with the parameter's former name.
  const href = address.replace(/([?&])location_id=/, `$1${LOCATION_PARAMETER}=`)
  if (!isLocationChoice(location)) return href
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? []
  if (new URLSearchParams(query).has(LOCATION_PARAMETER)) return href
  return `${path}${query === '' || query === '?' ? '?' : `${query}&`}${LOCATION_PARAMETER}=${location}${hash}`
}
