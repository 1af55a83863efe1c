import { optionalText } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { canonicalEmail } from '@/lib/text/email'
import { canonicalPhone, HOME_COUNTRY } from '@/lib/text/phone'

/** A contact field in the form in which it is stored and compared; blank means null. */
const contact = (max: number, canonical: (value: string) => string | null, what: string) =>
  optionalText(max).transform((value, context) => {
    const normal = value && canonical(value)
    if (value && !normal) context.addIssue({ code: 'custom', ...problemAs('invalid', `Not a valid ${what}`) })
    return normal
  })

/** An e-mail as it was typed. */
export const emailField = contact(254, canonicalEmail, 'e-mail')
/** A phone number as it was typed; of HOME_COUNTRY when it has no country code. */
export const phoneField = contact(40, (value) => canonicalPhone(value, HOME_COUNTRY), 'phone number')
