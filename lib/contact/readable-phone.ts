import 'server-only'
import { parsePhoneNumberFromString } from 'libphonenumber-js'

/** An E.164 number with its country's spacing; any other text unchanged. */
export function readablePhone(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}
