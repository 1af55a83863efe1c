/** The texts of a catalog by their keys (`feature.part.name`). */
export function texts(messages: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([name, value]) => {
      const key = path ? `${path}.${name}` : name
      return typeof value === 'string' ? [[key, value] as const] : [...texts(value, key)]
    }),
  )
}
