import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'
import { clean } from './clean'

/** The country of a number without its code, until locations and groups have one of their own. */
export const HOME_COUNTRY: CountryCode = 'ES'

/**
 * The phone number that a text means, in E.164; null when it has none. A number without `+` is the country's, else
 * one whose `+` was left out. Of several numbers it is the first.
 * @param country null: only numbers with their country's code
 */
export function canonicalPhone(text: string | null, country: CountryCode | null): string | null {
  const plain = clean(text ?? '')
  return numberIn(plain, country) ?? firstOf(plain, country)
}

function numberIn(text: string, country: CountryCode | null): string | null {
  // Only a number with its country's code has a 0 to leave out.
  const whole = text.replace(/^(\D*)00(?=[1-9])/, '$1+')
  const forms = [whole, text, text.replace(/^\D*/, '+')]
  if (/\+/.test(whole)) forms.unshift(whole.replace(/\(\s*0\s*\)/, ''))
  for (const form of forms) {
    const parsed = parsePhoneNumberFromString(form, country ?? undefined)
    if (parsed?.isValid()) return parsed.number
  }
  return null
}

/** The first of several numbers. Between two that only blanks part, both must be numbers. */
function firstOf(text: string, country: CountryCode | null): string | null {
  const parts = text.split(/[/|;,\n]|\s(?:\p{L}{1,3}|-)\s/u)
  for (const part of parts.length > 1 ? parts : []) {
    const number = numberIn(part, country) ?? firstOf(part, country)
    if (number) return number
  }
  for (const { index } of text.matchAll(/\s+/g)) {
    const number = numberIn(text.slice(0, index), country)
    if (number && numberIn(text.slice(index), country)) return number
  }
  return null
}
