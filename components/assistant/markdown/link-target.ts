const MAX_ADDRESS = 2000
const HERE = 'https://here.invalid'
// A GET there may have effects.
const NO_PAGE = /^\/(?:\/|api(?:\/|$)|u\/)/i

/**
 * Where an address leads: to a page of this app (`href`, a path as the browser will read it), or to another host, which
 * is only named. A guest's note may have the model write any address, with what the model knows in it.
 */
export function linkTarget(address: string): { href: string | null; host: string | null } {
  try {
    // Not URL.parse: tablets of 2023 lack it.
    const url = new URL(address.slice(0, MAX_ADDRESS), HERE)
    if (url.origin !== HERE)
      return { href: null, host: url.host || (url.protocol === 'mailto:' ? url.pathname : null) }
    const isPage = address.startsWith('/') && !NO_PAGE.test(url.pathname)
    return { href: isPage ? url.pathname + url.search + url.hash : null, host: null }
  } catch {
    return { href: null, host: null }
  }
}
