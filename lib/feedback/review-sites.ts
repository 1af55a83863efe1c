/** Review sites by their hosts. */
const SITES: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)google\.(com|[a-z]{2}|com?\.[a-z]{2})$|^g\.(page|co)$|(^|\.)goo\.gl$/, 'Google'],
  [/(^|\.)tripadvisor\.(com|[a-z]{2}|com?\.[a-z]{2})$/, 'TripAdvisor'],
  [/(^|\.)eltenedor\.(com|es)$/, 'ElTenedor'],
  [/(^|\.)(thefork\.(com|[a-z]{2}|com?\.[a-z]{2})|lafourchette\.com)$/, 'TheFork'],
]

/** The name by which guests know the site of an address; else its host. */
export function siteOf(url: string): string {
  const { hostname } = new URL(url)
  const known = SITES.find(([host]) => host.test(hostname))
  return known?.[1] ?? hostname.replace(/^www\./, '')
}
