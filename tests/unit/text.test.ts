import { describe, expect, it } from 'vitest'
import { clean } from '@/lib/text/clean'
import { canonicalEmail, readableEmail } from '@/lib/text/email'
import { fold } from '@/lib/text/fold'
import { canonicalPhone } from '@/lib/text/phone'
import cases from '../text-cases.json'

describe('texts, by the table of cases', () => {
  it.each(cases.fold)('fold of “$in”', ({ in: text, out }) => {
    expect(fold(text)).toBe(out)
    expect(fold(out)).toBe(out)
  })

  it.each(cases.clean)('clean “$in”', ({ in: text, out }) => {
    expect(clean(text)).toBe(out)
    expect(clean(out)).toBe(out)
  })

  it.each(cases.email)('the mailbox of “$in”', ({ in: text, out }) => {
    expect(canonicalEmail(text)).toBe(out)
    if (out) expect(canonicalEmail(readableEmail(out))).toBe(out)
  })

  it.each(cases.phone)('the number of “$in” in $country', ({ in: text, country, out }) => {
    expect(canonicalPhone(text, country as 'ES' | null)).toBe(out)
    if (out) expect(canonicalPhone(out, null)).toBe(out)
  })

  it('an address is shown with its domain in Unicode', () => {
    expect(readableEmail('josé@xn--espaa-rta.com')).toBe('josé@españa.com')
  })
})
