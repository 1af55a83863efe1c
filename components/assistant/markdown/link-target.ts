const MAX_ADDRESS = 2000
const HERE = 'https://here.invalid'
// A GET of an API path may have effects.
const NO_PAGE = /^\/(?:\/|api(?:\/|$)|u\/)/i

/**
 * Returns the target of an address: a page of this app (`href`, the path as the browser reads it), or another host
 * (its name only). A guest's note may make the model write any address, with data it knows in the query.
 */
export function linkTarget(address: string): { href: string | null; host: string | null } {
  try {
    // URL.parse is missing in tablets of 2023.
    const url = new URL(address.slice(0, MAX_ADDRESS), HERE)
    if (url.origin !== HERE)
      return { href: null, host: url.host || (url.protocol === 'mailto:' ? url.pathname : null) }
    const isPage = address.startsWith('/') && !NO_PAGE.test(url.pathname)
    return { href: isPage ? url.pathname + url.search + url.hash : null, host: null }
  } catch {
    return { href: null, host: null }
  }
}
