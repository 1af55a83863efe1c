const DELIMITERS = [';', ',', '\t']

/** The delimiter of a header line: semicolon unless it has more commas or tabs outside of quotes. */
export function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best))
}
