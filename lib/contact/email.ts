import { clean } from '@/lib/text/clean'

/** The longest text that is read, with a name in front, in characters. */
const MAX_TYPED = 500
const MAX_EMAIL = 254
const MAX_LOCAL = 64
// Two dots in a row, or one at an end, is an address that no server takes.
const LOCAL = /^(?!\.)(?!.*\.\.)[^\s@<>()[\]\\,;:"\p{C}]*[^\s@<>()[\]\\,;:"\p{C}.]$/u
const TYPED_DOMAIN = /^(?:[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61\u00b7\u30fb\u200c-]|\u200d)+$/u
// Needs no `URL`, which takes far longer and whose view of `xn--` differs between versions of Node.
const ASCII = /^[a-z0-9.-]+$/i
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/

/**
 * An e-mail in the one form in which it is stored, compared and sent to: lower case, the domain in ASCII (punycode). What
 * people copy with an address is dropped: `mailto:`, a name (`Ana <ana@example.com>`), quotes, punctuation at the end.
 * Null when no server could deliver to it, or when it is longer than 254 characters, or 64 before the `@`.
 */
export function canonicalEmail(text: string | null | undefined): string | null {
  const bare = bareAddress(text ?? '')
  const at = bare.lastIndexOf('@')
  const local = bare.slice(0, Math.max(at, 0)).toLowerCase().normalize('NFC')
  const domain = asciiDomain(bare.slice(at + 1))
  const email = `${local}@${domain}`
  return domain && local.length <= MAX_LOCAL && LOCAL.test(local) && email.length <= MAX_EMAIL ? email : null
}

/**
 * The forms in which an address may stand in the database: the canonical one, and the text itself, for guests stored before
 * there was one. For what must reach each of them, such as an opt-out.
 */
export function storedForms(text: string): string[] {
  const typed = bareAddress(text).toLowerCase()
  const forms = [canonicalEmail(text), text.trim().toLowerCase(), typed]
  const isStorable = (form: string) => form.length <= MAX_EMAIL && /^[^\s@<>]+@[^\s@<>]+$/.test(form)
  return [...new Set(forms.flatMap((form) => (form && isStorable(form) ? form : [])))]
}

function bareAddress(text: string): string {
  if (text.length > MAX_TYPED) return ''
  const typed = withoutEnd(clean(text)).replace(/^(["'“‘])(.*)["'”’]$/s, '$2')
  const bare = /<([^<>]*)>$/.exec(withoutEnd(typed))?.[1] ?? typed
  return withoutEnd(bare.trim().replace(/^mailto:(?:\/\/)?\s*([^?]*).*$/is, '$1'))
}

const withoutEnd = (text: string) => text.replace(/[\s,;.]+$/, '')

/** A domain with a dot in ASCII, or null. */
function asciiDomain(domain: string): string | null {
  if (domain.length > MAX_EMAIL || !TYPED_DOMAIN.test(domain)) return null
  const ascii = ASCII.test(domain) ? domain.toLowerCase() : URL.parse(`http://${domain}`)?.hostname
  return ascii && DOMAIN.test(ascii) ? ascii : null
}
