const ESCAPED = /[<>&`\u2028\u2029]/g

/**
 * A value as a fenced block of data for the model. Customers write some of it (names, notes), so nothing in it
 * can close the fence: angle brackets and backticks are JSON escapes there.
 */
export function asData(value: unknown): string {
  const json = JSON.stringify(value, null, 1).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `<datos>\n${json}\n</datos>`
}
