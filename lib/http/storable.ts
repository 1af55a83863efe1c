/**
 * Where in a value there is text that Postgres cannot store (NUL, half a surrogate pair): `history.0.content`,
 * empty for the value itself, or null when all of it can be.
 */
export function unstorablePath(value: unknown, path: string[] = []): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path.join('.')
  if (value === null || typeof value !== 'object') return null
  for (const [key, inner] of Object.entries(value)) {
    const found = isStorable(key) ? unstorablePath(inner, [...path, key]) : path.join('.')
    if (found !== null) return found
  }
  return null
}

/** Whether Postgres can store the text. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
