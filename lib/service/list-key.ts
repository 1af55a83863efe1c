import { choiceCookie } from '@/lib/http/host-cookie'

/** The cookie with half of the key of the lists that a device keeps. Scripts read it; the server only ends it. */
export const LIST_KEY_COOKIE = 'service-list-key'
/** In the browser's storage: whose lists it keeps, of which locations, and until when. */
export const LIST_MARK = 'service-list-of'

/** The database with the sealed lists and the other half of their key. */
export const LIST_DATABASE = 'sobremesa-lists'
/** The worker's cache with the page that shows a list, and the page's path (public/sw.js). */
export const KEPT_PAGE = { cacheName: 'service-page', path: '/offline/service' }

export interface ListMark {
  person: string
  locations: string[]
  /** In milliseconds since 1970, by the clock of the device. */
  until: number
}

/** Whose lists this device keeps; null when it keeps none, or none of the last twelve hours. */
export function listMark(): ListMark | null {
  try {
    const mark: ListMark | null = JSON.parse(localStorage.getItem(LIST_MARK) ?? 'null')
    return mark && mark.until > Date.now() && Array.isArray(mark.locations) ? mark : null
  } catch {
    return null
  }
}

/** How many times this tab deleted lists: one that is being sealed meanwhile is not kept. */
export const forgotten = { times: 0 }

/** Deletes the lists that this device keeps, both halves of their key, and the page that shows them. */
export function forgetLists(): void {
  forgotten.times += 1
  try {
    localStorage.removeItem(LIST_MARK)
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = choiceCookie(LIST_KEY_COOKIE, '')
    indexedDB.deleteDatabase(LIST_DATABASE)
    globalThis.caches?.delete(KEPT_PAGE.cacheName).catch(() => {})
  } catch {
    // The browser forbids storage: it keeps nothing.
  }
}
