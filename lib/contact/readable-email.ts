import { toUnicode } from 'punycode/'

/**
 * A stored e-mail as pages show it: its domain in the letters of its language (`xn--mnchen-3ya.de` is `münchen.de`). In
 * ASCII when it hides other characters than letters and digits.
 */
export function readableEmail(email: string): string {
  if (!email.includes('xn--')) return email
  try {
    const readable = toUnicode(email)
    return /@[\p{L}\p{M}\p{N}.·・-]+$/u.test(readable) ? readable : email
  } catch {
    return email
  }
}
