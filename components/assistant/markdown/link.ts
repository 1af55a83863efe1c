const MAX_LABEL = 500
const MAX_ADDRESS = 2000
const SAFE = new Set(['http:', 'https:', 'mailto:'])

const BARE = /https?:\/\/[^\s<>"'`|\]]{1,2000}/iy
const ANGLED = /<([a-z]{4,6}:[^\s<>]{1,2000})>/iy
const TARGET =
  /\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,2000})?)>?(?:\s{1,9}"[^"\n]{0,200}")?\s{0,9}\)/y

/** A link in a text: what it shows (null: its address) and where it leads (null: nowhere that is safe). */
export interface FoundLink {
  label: string | null
  href: string | null
  end: number
}

/** The address when it is of the web or of an e-mail, in the form the browser will read it; else null. */
function safeHref(address: string): string | null {
  try {
    // Not URL.parse: tablets of 2023 lack it.
    const { protocol, href } = new URL(address.slice(0, MAX_ADDRESS))
    return SAFE.has(protocol) ? href : null
  } catch {
    return null
  }
}

/** The link that begins at a position; an image counts as its description, for nothing is fetched. */
export function linkAt(text: string, at: number): FoundLink | null {
  if (text[at] === '!') {
    const image = text[at + 1] === '[' ? labelled(text, at + 1) : null
    return image && { ...image, href: null }
  }
  if (text[at] === '[') return labelled(text, at)
  if (text[at] === '<') {
    const match = matchAt(ANGLED, text, at)
    const href = match?.[1] ? safeHref(match[1]) : null
    return match && href ? { label: match[1] ?? '', href, end: at + match[0].length } : null
  }
  const [address] = matchAt(BARE, text, at) ?? []
  if (!address) return null
  const kept = address.replace(/[.,;:!?)*_~»]+$/, '')
  const href = safeHref(kept)
  return href ? { label: null, href, end: at + kept.length } : null
}

function labelled(text: string, at: number): FoundLink | null {
  const close = closingBracket(text, at)
  const match = close === -1 ? null : matchAt(TARGET, text, close + 1)
  if (!match) return null
  return {
    label: text.slice(at + 1, close),
    href: safeHref(match[1] ?? ''),
    end: close + 1 + match[0].length,
  }
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
