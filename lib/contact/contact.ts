import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { optionalText } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'

/** A contact field in the form in which it is stored and compared; blank means null. */
const contact = (max: number, normalize: (value: string) => string | null, what: string) =>
  optionalText(max).transform((value, context) => {
    const normal = value && normalize(value)
    if (value && !normal) context.addIssue({ code: 'custom', ...problemAs('invalid', `Not a valid ${what}`) })
    return normal
  })

/** An e-mail as it was typed. */
export const emailField = contact(254, normalizeEmail, 'e-mail')
/** A phone number as it was typed; Spanish when it has no country code. */
export const phoneField = contact(40, normalizePhone, 'phone number')

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MAX_EMAIL = 254

/** An e-mail in the form in which it is stored and compared (trimmed, lower case), or null when it is malformed. */
export function normalizeEmail(value: string | null): string | null {
  const email = value?.trim().toLowerCase() ?? ''
  return email.length <= MAX_EMAIL && EMAIL.test(email) ? email : null
}

/** A phone number in E.164 (Spanish when it has no country code), or null when it is not valid. */
export function normalizePhone(value: string | null): string | null {
  if (!value) return null
  const parsed = parsePhoneNumberFromString(value, 'ES')
  return parsed?.isValid() ? parsed.number : null
}
