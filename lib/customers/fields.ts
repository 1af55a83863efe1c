import { z } from 'zod'
import { emailField, furtherContacts, phoneField } from '@/lib/contact/fields'
import { DAY_MS } from '@/lib/dates'
import { blankable, calendarDate, guestLanguage, optionalText, requiredText, text } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { anyId, anyText, loadedValues } from '@/lib/http/loaded'
import { CONSENT_BASES } from './consent'
import { eachField, SINGLE_FIELDS } from './guest-fields'

const MAX_TAGS = 50

const consentWish = z
  .strictObject({
    basis: z.enum(CONSENT_BASES).optional(),
    opted_out: z.boolean().optional().meta({ description: 'Marketing only; confirmations still go' }),
    reason: requiredText(500).meta({ description: 'How the staff knows' }),
  })
  .refine(
    ({ basis, opted_out }) => basis !== undefined || opted_out !== undefined,
    problemAs('required', 'Needs basis or opted_out'),
  )

/** A change of a customer's consent by staff; absent channels stay as they are. */
const consentWishes = z
  .strictObject({
    whatsapp: consentWish.optional(),
    sms: consentWish.optional(),
    email: consentWish.optional(),
  })
  .refine(
    (channels) => Object.values(channels).some((wish) => wish !== undefined),
    problemAs('required', 'Needs a channel'),
  )

const checks = eachField(({ limit }) => optionalText(limit).optional(), {
  email: () => emailField.optional(),
  phone: () => phoneField.optional(),
  date: () =>
    calendarDate(1900, 2100)
      .refine(
        (date) => Date.parse(date) <= Date.now() + DAY_MS,
        problemAs('in_the_future', 'Must not be in the future'),
      )
      .nullable()
      .optional(),
  language: () => blankable(guestLanguage).optional(),
  tags: ({ limit }) =>
    z
      .array(text(limit).refine((tag) => tag !== '', problemAs('required', 'Must not be blank')))
      .max(MAX_TAGS)
      .transform((tags) => [...new Set(tags)])
      .optional(),
  location: () =>
    z
      .uuid()
      .nullable()
      .optional()
      .meta({ description: 'Their usual location; once they have reservations, where most of these are' }),
})

/** The fields of a customer that people edit; statistics and tier follow from reservations. */
export const customerFields = z.strictObject({
  ...checks,
  emails: furtherContacts(emailField).optional().meta({
    description:
      'Further e-mails: the list replaces the stored one, those that are there already keep their order and come first. `email` itself and doubles are left out; more than 20 only as far as they are stored.',
  }),
  phones: furtherContacts(phoneField).optional().meta({ description: 'Further phones, likewise' }),
  consent: consentWishes.optional(),
})

const anyTexts = z.array(z.string().max(1000)).max(1000)
const loadedChecks = {
  ...eachField(() => anyText, {
    date: () => z.iso.date().nullable(),
    tags: () => anyTexts,
    location: () => anyId,
  }),
  emails: anyTexts,
  phones: anyTexts,
}

/** A change of these fields. */
export const customerChanges = customerFields.extend({
  loaded: loadedValues(loadedChecks),
})

/** The fields that a merge can take from the duplicate. */
export const mergeBody = z.strictObject({
  duplicate_id: z.guid(),
  fields: z.array(z.enum(SINGLE_FIELDS)).max(SINGLE_FIELDS.length).optional().meta({
    description: 'Taken from the duplicate, where it has them, although the customer has their own',
  }),
})
