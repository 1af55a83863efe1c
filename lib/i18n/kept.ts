/**
 * A formatter for each language or time zone, built once: that takes a hundred times as long as formatting, and a list
 * formats in every cell. An unknown key fails every time.
 */
export function kept<T>(build: (key: string) => T): (key: string) => T {
  const built = new Map<string, T>()
  return (key) => {
    const found = built.get(key) ?? build(key)
    built.set(key, found)
    return found
  }
}
