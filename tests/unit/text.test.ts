import type { CountryCode } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { canonicalEmail, storedForms } from '@/lib/contact/email'
import { canonicalPhone, readPhones } from '@/lib/contact/phone'
import { readableEmail } from '@/lib/contact/readable-email'
import { clean } from '@/lib/text/clean'
import { fold } from '@/lib/text/fold'
import cases from '../text-cases.json'

describe('texts, by the table of cases', () => {
  it.each(cases.fold)('fold of “$in”', ({ in: text, out }) => {
    expect(fold(text)).toBe(out)
    expect(fold(out)).toBe(out)
  })

  it.each(cases.clean)('the stored form of “$in”', ({ in: text, out }) => {
    expect(clean(text)).toBe(out)
    expect(clean(out)).toBe(out)
  })

  it.each(cases.email)('the e-mail of “$in”', ({ in: text, out }) => {
    expect(canonicalEmail(text)).toBe(out)
    if (out !== null) expect([canonicalEmail(out), canonicalEmail(readableEmail(out))]).toEqual([out, out])
  })

  it.each(cases.phone)('the phones of “$in”', ({ in: text, country, ...read }) => {
    expect(readPhones(text, country as CountryCode | undefined)).toEqual(read)
    const isOne = read.further.length === 0 && read.words === null
    expect(canonicalPhone(text, country as CountryCode | undefined)).toBe(isOne ? read.phone : null)
    if (read.phone !== null) expect(canonicalPhone(read.phone, 'FR')).toBe(read.phone)
  })
})

it('an e-mail is not looked for in a text of more than 500 characters', () => {
  const named = (length: number) =>
    canonicalEmail(`${'x'.repeat(length - '<ana@example.com>'.length)}<ana@example.com>`)
  expect([named(500), named(501)]).toEqual(['ana@example.com', null])
})

it.each([
  ['Ana@München.example', ['ana@xn--mnchen-3ya.example', 'ana@münchen.example']],
  ['ana@example.com', ['ana@example.com']],
  // Of a guest from before addresses had one form.
  ['a..b@docomo.example', ['a..b@docomo.example']],
  [`${'a'.repeat(64)}@${'b'.repeat(185)}.com`, [`${'a'.repeat(64)}@${'b'.repeat(185)}.com`]],
  [`${'a'.repeat(64)}@${'b'.repeat(186)}.com`, []],
  ['not an address', []],
])('the forms in which “%s” may be stored', (text, forms) => {
  expect(storedForms(text)).toEqual(forms)
})

it.each([
  ['ana@xn--mnchen-3ya.example', 'ana@münchen.example'],
  ['ana@example.com', 'ana@example.com'],
  ['ana@xn--zz.example', 'ana@xn--zz.example'],
  ['ana@xn--ab-h4t.com', 'ana@xn--ab-h4t.com'],
  ['+34600111222', '+34600111222'],
])('pages show %s as %s', (stored, shown) => {
  expect(readableEmail(stored)).toBe(shown)
})
