import { domainToASCII, domainToUnicode } from 'node:url'
import { clean } from './clean'

const MAX = 254
const LOCAL = /^(?!\.)(?!.*\.\.)[^\s\p{Cc}@<>()[\],;:\\"]{1,64}(?<!\.)$/u
const DOMAIN = /^(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)+(?!-)[a-z0-9-]{2,63}(?<!-)$/

/**
 * The mailbox that a text means, in the form in which it is stored, compared and written to; null when it is none.
 * It may have `mailto:`, `<…>`, a name in front and punctuation after it. The domain is in ASCII, all in lower case.
 */
export function canonicalEmail(text: string | null): string | null {
  const plain = clean(text ?? '')
  const bare = (/<([^<>]*)>[\s,;.]*$/.exec(plain)?.[1] ?? plain)
    .trim()
    .replace(/^mailto:\s*/i, '')
    .replace(/[\s,;.]+$/, '')
  const at = bare.lastIndexOf('@')
  const local = bare.slice(0, Math.max(at, 0)).toLowerCase().normalize('NFC')
  const domain = asciiDomain(bare.slice(at + 1))
  const email = `${local}@${domain}`
  return domain !== null && LOCAL.test(local) && email.length <= MAX ? email : null
}

/** A domain in ASCII and lower case (punycode); null when it is none. */
export function asciiDomain(domain: string): string | null {
  // The look-up would turn digits into an address of four numbers, and decode what is encoded.
  if (/[%/?#:@[\]\\\s]/.test(domain) || /(^|\.)\d+\.?$/.test(domain)) return null
  const ascii = domainToASCII(domain.toLowerCase()) || domain.toLowerCase()
  return DOMAIN.test(ascii) ? ascii : null
}

/** A stored address as people read it: its domain in Unicode. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at + 1)}${domainToUnicode(email.slice(at + 1)) || email.slice(at + 1)}`
}
