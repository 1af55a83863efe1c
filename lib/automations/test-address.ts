import { normalizeEmail, normalizePhone } from '@/lib/customers/contact'
import { HttpError } from '@/lib/http/errors'
import type { Channel } from '@/lib/messaging/schema'

/**
 * Where a test message goes: an e-mail to the person's own address, anything else to the phone number given.
 * @throws HttpError 400 for another's e-mail address, or without a valid phone number.
 */
export function testAddress(channel: Channel, own: string, given: string | undefined): string {
  const refuse = (what: string) => new HttpError(400, { error: `recipient: ${what}` })
  if (channel === 'email') {
    const email = normalizeEmail(own)
    if (email === null || (given !== undefined && normalizeEmail(given) !== email))
      throw refuse('a test e-mail goes to your own address')
    return email
  }
  const phone = normalizePhone(given ?? null)
  if (phone === null) throw refuse('a phone number is needed')
  return phone
}
