/** A value to look at, and how it was reached. */
interface Place {
  value: unknown
  key: string
  parent: Place | null
}

/**
 * Where in a value there is text that Postgres cannot store (NUL, half a surrogate pair): `history.0.content`,
 * empty for the value itself, or null when all of it can be. The depth of a value costs no stack.
 */
export function unstorablePath(whole: unknown): string | null {
  const places: Place[] = [{ value: whole, key: '', parent: null }]
  for (let place = places.pop(); place; place = places.pop()) {
    const { value } = place
    if (typeof value === 'string' && !isStorable(value)) return pathOf(place)
    if (value === null || typeof value !== 'object') continue
    const inner: Place[] = []
    for (const [key, next] of Object.entries(value)) {
      if (!isStorable(key)) return pathOf(place)
      if (typeof next === 'string' || (typeof next === 'object' && next !== null))
        inner.push({ value: next, key, parent: place })
    }
    // The first one comes up first.
    for (const next of inner.reverse()) places.push(next)
  }
  return null
}

function pathOf(place: Place): string {
  const keys: string[] = []
  for (let at = place; at.parent; at = at.parent) keys.push(at.key)
  return keys.reverse().join('.')
}

/** Whether Postgres can store the text. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
