/**
 * The way through a list in a page's address: the cursors of the pages after the first one, with dots between them. A
 * way that was cut begins with a dot: what came before is not known any more.
 */
const STEP = '.'
const MAX_STEPS = 12
// Proxies and mail programs cut addresses of some thousand characters.
const MAX_LENGTH = 1500

/** The cursor of the page that a way leads to. */
export const lastStep = (path: string): string => path.slice(path.lastIndexOf(STEP) + 1)

/** The way to the page after the one that `path` leads to. */
export function stepOn(path: string | undefined, next: string): string {
  const steps = path ? path.split(STEP) : []
  const cut = steps[0] === ''
  const kept = [...(cut ? steps.slice(1) : steps), next]
  const all = kept.length
  while (kept.length > 1 && (kept.length > MAX_STEPS || kept.join(STEP).length > MAX_LENGTH)) kept.shift()
  return [...(cut || kept.length < all ? [''] : []), ...kept].join(STEP)
}

/** The way to the page before; undefined: the first one, null: not known. */
export function stepBack(path: string): string | undefined | null {
  const steps = path.split(STEP).slice(0, -1)
  if (steps.length === 0) return undefined
  return steps.length === 1 && steps[0] === '' ? null : steps.join(STEP)
}
