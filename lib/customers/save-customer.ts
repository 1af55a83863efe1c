import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { ERRORS, type ErrorCode } from '@/lib/http/error-codes'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { editedMeanwhile } from '@/lib/http/loaded'
import { compareSoon } from '@/lib/identity/score'
import type { customerChanges } from './fields'
import { MAX_FURTHER } from './guest-fields'
import { type Customer, customerSchema } from './schema'

const outcomeSchema = z.object({
  outcome: z.string(),
  channel: z.string().optional(),
  field: z.string().nullish(),
  contact: z.string().optional(),
  customer: customerSchema.optional(),
  current: customerSchema.partial().optional(),
})

const REFUSALS = {
  nameless: 'CONTACT_NEEDED',
  unknown_location: { path: 'location_id', code: 'unknown', message: 'Unknown location' },
  foreign_location: 'FOREIGN_LOCATION',
  duplicate_email: 'EMAIL_TAKEN',
} as const

/** The reasons to refuse a change of a channel's consent. */
const CONSENT_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  no_address_for: 'NO_ADDRESS',
  address_refused: 'ADDRESS_REFUSED',
}

/**
 * Creates a customer (source `Manual`), or changes the given fields of the one with that id. The log records the names
 * of the changed fields.
 * @throws HttpError 404 unknown customer; 400 unknown location, neither name nor e-mail nor phone, a value that a check
 * of the table refuses, more than 20 further e-mails or phones, or opting out a channel without an address; 409 for an
 * e-mail in use, a further e-mail or phone of another customer, or opting in an address
 * that bounced or complained, or fields that another person changed since they were `loaded`; 403 for another usual
 * location of a customer whose own one the person does not work in.
 */
export async function saveCustomer(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  fields: z.infer<typeof customerChanges>,
  id?: string,
): Promise<Customer> {
  const result = outcomeSchema.parse(unwrap(await db.rpc('save_customer', { p_fields: fields, p_id: id })))
  if (result.customer) {
    compareSoon(organization.id)
    return result.customer
  }
  if (result.current) throw editedMeanwhile(result.current)
  const ofChannel = CONSENT_REFUSALS[result.outcome]
  if (ofChannel) throw consentRefusal(ofChannel, result.channel)
  if (result.outcome === 'malformed')
    throw invalidInput({ path: result.field ?? '', code: 'invalid', message: 'Malformed' })
  if (result.outcome === 'contact_taken') throw contactTaken(result.field ?? '', result.contact)
  if (result.outcome === 'too_many_contacts')
    throw invalidInput({
      path: result.field ?? '',
      code: 'too_many',
      params: { maximum: MAX_FURTHER },
      message: `At most ${MAX_FURTHER}`,
    })
  refuse(result.outcome, REFUSALS)
  throw new Error(`save_customer: ${result.outcome}`)
}

function contactTaken(path: string, contact = path): HttpError {
  return new HttpError('CONTACT_TAKEN', {
    error: `Another customer has ${contact}`,
    issues: [{ path, code: 'taken' }],
  })
}

function consentRefusal(code: ErrorCode, channel = ''): HttpError {
  const path = `consent.${channel}`
  return new HttpError(code, { error: `${path}: ${ERRORS[code][1]}`, issues: [{ path, code: 'invalid' }] })
}

/**
 * Erases a person (GDPR art. 17). The customer is deleted; their reservations stay in the statistics of the day and
 * their messages in those of the run, both without personal data. Bookings that the PMS still has do not restore
 * them; a new booking makes a new customer. Suppressions stay, else the person would get messages again.
 * Texts about nobody lose the person's addresses, and their full name in the locations where they have booked.
 * @throws HttpError 404 when it does not exist or is not visible; 403 for someone bound to locations when the person has
 * records of other locations or of none.
 */
export async function eraseCustomer({ db }: Pick<Session, 'db'>, id: string): Promise<Response> {
  const outcome = unwrap(await db.rpc('erase_customer', { p_id: id }))
  if (outcome === 'foreign_location') throw new HttpError('FOREIGN_LOCATION')
  if (outcome !== 'erased') throw new HttpError('NOT_FOUND')
  return new Response(null, { status: 204 })
}
