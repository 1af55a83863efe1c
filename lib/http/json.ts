/** The maximum nesting of JSON from outside; our own bodies have five levels at most. */
const MOST_LEVELS = 32

/**
 * Parses JSON from outside. The result is safe for recursive functions, for storing and for object spread.
 * @throws SyntaxError when it is not JSON, is nested deeper than 32 levels, or has a number out of range or a key
 * `__proto__`.
 */
export function parseJson(text: string): unknown {
  const whole: unknown = JSON.parse(text)
  // Level by level, without recursion: depth costs no stack.
  let level: unknown[] = [whole]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('number out of range')
      if (typeof value !== 'object' || value === null) continue
      if (depth === MOST_LEVELS) throw new SyntaxError('nested too deep')
      if (Object.hasOwn(value, '__proto__')) throw new SyntaxError('__proto__ is no name')
      for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
  return whole
}

/** A value to check, with its path. */
interface Place {
  value: unknown
  key: string
  parent: Place | null
}

/**
 * The path of a text in a value that Postgres cannot store (NUL, half a surrogate pair), such as `history.0.content`;
 * empty for the value itself, null when there is none. Works without recursion.
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
    // Reversed, so that the first entry is checked first.
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
