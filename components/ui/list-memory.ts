import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'

const KEY = 'list:'
/** Paths of single records: the navigation does not lead back to them. */
const RECORD = /[\da-f]{8}-[\da-f]{4}-/i

interface HistoryEntry {
  url: string | null
  index: number
}
// The Navigation API is not in TypeScript's DOM types yet, nor in every browser.
type WithNavigation = Window & {
  navigation?: { currentEntry: HistoryEntry | null; entries: () => HistoryEntry[] }
}

/**
 * Remembers how this tab shows a list: its filters and its page. The location is left out, as every address has it.
 */
export function rememberList(pathname: string, search: string): void {
  if (RECORD.test(pathname)) return
  const query = new URLSearchParams(search)
  query.delete(LOCATION_PARAMETER)
  try {
    window.sessionStorage.setItem(KEY + pathname, String(query))
  } catch {
    // Without storage, lists open with their defaults.
  }
}

/** The address of a list as this tab last showed it. */
export function listAddress(pathname: string): string {
  try {
    const query = window.sessionStorage.getItem(KEY + pathname)
    return query ? `${pathname}?${query}` : pathname
  } catch {
    return pathname
  }
}

/** How many steps back in the tab's history the list was shown for the same location; null when it was not. */
export function stepsBackTo(pathname: string): number | null {
  const { navigation } = window as WithNavigation
  const here = navigation?.currentEntry
  if (!navigation || !here) return null
  const place = (url: URL) => url.searchParams.get(LOCATION_PARAMETER)
  const before = navigation.entries().slice(0, here.index).reverse()
  const index = before.findIndex(({ url }) => url !== null && new URL(url).pathname === pathname)
  const found = before[index]?.url
  return found && place(new URL(found)) === place(new URL(window.location.href)) ? index + 1 : null
}
