/** The query of a page as Next gives it. */
export type Query = Record<string, string | string[] | undefined>

/** A parameter's text, trimmed and cut; of repeated ones the first. */
export function param(query: Query, name: string, maxLength = 100): string {
  const value = query[name]
  return ((Array.isArray(value) ? value[0] : value) ?? '').trim().slice(0, maxLength)
}

/** A parameter when it is one of the allowed values. */
export function choice<T extends string>(query: Query, name: string, allowed: readonly T[]): T | undefined {
  const value = param(query, name)
  return allowed.find((option) => option === value)
}

/** A path with those parameters that have a value. */
export function href(path: string, parameters: Record<string, string | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value)
  const text = search.toString()
  return text ? `${path}?${text}` : path
}
