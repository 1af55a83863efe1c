import { z } from 'zod'
import { optionalText } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { canonicalEmail } from './email'
import { canonicalPhone } from './phone'

/** A contact field in the form in which it is stored and compared; blank means null. */
const contact = (max: number, canonical: (value: string) => string | null, what: string) =>
  optionalText(max).transform((value, context) => {
    const stored = value && canonical(value)
    if (value && !stored) context.addIssue({ code: 'custom', ...problemAs('invalid', `Not a valid ${what}`) })
    return stored
  })

/** An e-mail as it was typed. */
export const emailField = contact(254, canonicalEmail, 'e-mail')
/** One phone number as it was typed, at most with a label; Spanish when it has no country code. */
export const phoneField = contact(40, canonicalPhone, 'phone number')

const MAX_LIST = 1000
/**
 * Further contacts of a guest, each as `one` reads it; a blank is refused. Merges and bookings may have left more than
 * people add, so the limit is that of the list as it is read.
 */
export const furtherContacts = (one: typeof emailField) =>
  z
    .array(
      one.transform((value, context) => {
        if (value === null)
          context.addIssue({ code: 'custom', ...problemAs('required', 'Must not be blank') })
        return value ?? ''
      }),
    )
    .max(MAX_LIST)
