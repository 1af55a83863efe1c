import { parsePhoneNumberFromString } from 'libphonenumber-js'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MAX_EMAIL = 254

/** An e-mail in the form in which it is stored and compared (trimmed, lower case), or null when it is none. */
export function normalizeEmail(value: string | null): string | null {
  const email = value?.trim().toLowerCase() ?? ''
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : null
}

/** A phone number in E.164, Spain when it has no country, or null when it is no valid number. */
export function normalizePhone(value: string | null): string | null {
  if (!value) return null
  const parsed = parsePhoneNumberFromString(value, 'ES')
  return parsed?.isValid() ? parsed.number : null
}
