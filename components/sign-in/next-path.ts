/** The page to go to after the sign-in: a path of this site, home for anything else. */
export function safeNextPath(value: string | string[] | undefined): string {
  const base = 'http://sobremesa.invalid'
  if (typeof value !== 'string' || !value.startsWith('/')) return '/'
  const url = URL.parse(value, base)
  return url?.origin === base ? url.pathname + url.search : '/'
}
