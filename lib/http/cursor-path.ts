/**
 * A path of cursors in a page's address: the cursors of the list's pages after the first one, separated by dots. A
 * shortened path begins with a dot: its earlier pages are unknown.
 */
const STEP = '.'
const MAX_STEPS = 12
// Proxies and mail programs truncate addresses of some thousand characters.
const MAX_LENGTH = 1500

/** The cursor of the path's page. */
export const lastStep = (path: string): string => path.slice(path.lastIndexOf(STEP) + 1)

/** The path of the page after `path`. */
export function stepOn(path: string | undefined, next: string): string {
  const steps = path ? path.split(STEP) : []
  const cut = steps[0] === ''
  const kept = [...(cut ? steps.slice(1) : steps), next]
  const all = kept.length
  while (kept.length > 1 && (kept.length > MAX_STEPS || kept.join(STEP).length > MAX_LENGTH)) kept.shift()
  return [...(cut || kept.length < all ? [''] : []), ...kept].join(STEP)
}

/** The path of the page before `path`; undefined for the first page, null when unknown. */
export function stepBack(path: string): string | undefined | null {
  const steps = path.split(STEP).slice(0, -1)
  if (steps.length === 0) return undefined
  return steps.length === 1 && steps[0] === '' ? null : steps.join(STEP)
}
