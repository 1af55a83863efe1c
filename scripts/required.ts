/** A variable of the environment, by one of its names. @throws Error when it is not set. */
export function required(name: string, ...others: string[]): string {
  const value = [name, ...others].map((key) => process.env[key]).find(Boolean)
  if (!value) throw new Error(`${name} is not set`)
  return value
}
