import { useCallback, useSyncExternalStore } from 'react'

/** A named set of filters: the list's address with them. */
export interface SavedView {
  name: string
  href: string
}

const NONE: readonly SavedView[] = []
const MAX_VIEWS = 20
const listeners = new Set<() => void>()
// The last parsed text by key: useSyncExternalStore needs the same list for the same text.
const parsed = new Map<string, { text: string; views: readonly SavedView[] }>()

/** The sets of filters that a person keeps in this browser; none on the server. */
export function useSavedViews(userId: string) {
  const key = `customer-views:${userId}`
  const views = useSyncExternalStore(
    subscribe,
    useCallback(() => read(key), [key]),
    () => NONE,
  )
  const others = (name: string) => read(key).filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) => write(key, [...others(view.name), view].slice(-MAX_VIEWS)),
    remove: (name: string) => write(key, others(name)),
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function read(key: string): readonly SavedView[] {
  const text = stored(key)
  const known = parsed.get(key)
  if (known?.text === text) return known.views
  const views = parseViews(text)
  parsed.set(key, { text, views })
  return views
}

/** Parses the stored text; entries that are malformed are left out. */
export function parseViews(text: string): readonly SavedView[] {
  if (text === '') return NONE
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows.filter(isView) : NONE
  } catch {
    return NONE
  }
}

// A link must stay within the list: other people who use this browser can change the storage.
function isView(row: unknown): row is SavedView {
  const { name, href } = (row ?? {}) as Partial<SavedView>
  return typeof name === 'string' && typeof href === 'string' && /^\/customers\?[^#]*$/.test(href)
}

function write(key: string, views: readonly SavedView[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(views))
  } catch {
    // Without storage, they last as long as the page.
    parsed.set(key, { text: stored(key), views })
  }
  for (const listener of listeners) listener()
}

function stored(key: string): string {
  try {
    return window.localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
