const MAX_LABEL = 500
const MAX_ADDRESS = 2000
const HERE = 'https://here.invalid'
// What answers a GET there may do something.
const NO_PAGE = /^\/(?:\/|api(?:\/|$)|u\/)/i

const BARE = /https?:\/\/[^\s<>"'`|\]]{1,2000}/iy
const ANGLED = /<([a-z]{4,6}:[^\s<>]{1,2000})>/iy
const TARGET =
  /\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,2000})?)>?(?:\s{1,9}"[^"\n]{0,200}")?\s{0,9}\)/y

/** A link in a text: what it shows, and the page of this app it leads to (null: it stays text). */
export interface FoundLink {
  label: string
  href: string | null
  end: number
}

/**
 * Where an address leads: to a page of this app, as a path in the form the browser will read it, or elsewhere (the host).
 * A guest's note may have the model write any address, with what the model knows in it: nothing leads elsewhere.
 */
function targetOf(address: string): { href: string | null; host: string | null } {
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

/** The link that begins at a position. One to another host shows that host and leads nowhere; an image counts as its description. */
export function linkAt(text: string, at: number): FoundLink | null {
  if (text[at] === '!') {
    const image = text[at + 1] === '[' ? labelled(text, at + 1) : null
    return image && { ...image, href: null }
  }
  if (text[at] === '[') return labelled(text, at)
  if (text[at] === '<') {
    const match = matchAt(ANGLED, text, at)
    return match && { label: match[1] ?? '', href: null, end: at + match[0].length }
  }
  const [address] = matchAt(BARE, text, at) ?? []
  if (!address) return null
  const kept = address.replace(/[.,;:!?)*_~»]+$/, '')
  return { label: kept, href: null, end: at + kept.length }
}

function labelled(text: string, at: number): FoundLink | null {
  const close = closingBracket(text, at)
  const match = close === -1 ? null : matchAt(TARGET, text, close + 1)
  if (!match) return null
  const label = text.slice(at + 1, close)
  const { href, host } = targetOf(match[1] ?? '')
  const shown = host === null || label.includes(host) ? label : `${label} (${host})`
  return { label: shown, href, end: close + 1 + match[0].length }
}

function closingBracket(text: string, at: number): number {
  let open = 0
  for (let end = at; end < text.length && end - at <= MAX_LABEL; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '[') open++
    else if (text[end] === ']' && --open === 0) return end
  }
  return -1
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
