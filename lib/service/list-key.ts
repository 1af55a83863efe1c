import { choiceCookie } from '@/lib/http/host-cookie'

/** The cookie with half of the key of the lists that a device keeps. Scripts read it; the server only ends it. */
export const LIST_KEY_COOKIE = 'service-list-key'
/** In the browser's storage: whose lists it keeps and until when, as `<person> <milliseconds>`. */
export const LIST_MARK = 'service-list-of'

/** The database with the sealed lists and the other half of their key. */
export const LIST_DATABASE = 'sobremesa-lists'

/** How many times this tab deleted lists: one that is being sealed meanwhile is not kept. */
export const forgotten = { times: 0 }

/** Deletes the lists that this device keeps, and both halves of their key. */
export function forgetLists(): void {
  forgotten.times += 1
  try {
    localStorage.removeItem(LIST_MARK)
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = choiceCookie(LIST_KEY_COOKIE, '')
    indexedDB.deleteDatabase(LIST_DATABASE)
  } catch {
    // The browser forbids storage: it keeps nothing.
  }
}
