import { z } from 'zod'
import { emailField, phoneField } from '@/lib/contact/contact'
import { DAY_MS } from '@/lib/dates'
import { calendarDate, optionalText, requiredText, text } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { anyId, anyText, loadedValues } from '@/lib/http/loaded'
import { CONSENT_BASES } from './consent'
import { SINGLE_FIELDS, TEXT_LIMITS } from './field-names'

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

/** The fields of a customer that people edit; statistics and tier follow from reservations. */
export const customerFields = z.strictObject({
  email: emailField.optional(),
  phone: phoneField.optional(),
  first_name: optionalText(TEXT_LIMITS.first_name).optional(),
  last_name: optionalText(TEXT_LIMITS.last_name).optional(),
  birth_date: calendarDate(1900, 2100)
    .refine(
      (date) => Date.parse(date) <= Date.now() + DAY_MS,
      problemAs('in_the_future', 'Must not be in the future'),
    )
    .nullable()
    .optional(),
  company: optionalText(TEXT_LIMITS.company).optional(),
  job_title: optionalText(TEXT_LIMITS.job_title).optional(),
  address: optionalText(TEXT_LIMITS.address).optional(),
  tags: z
    .array(text(60).refine((tag) => tag !== '', problemAs('required', 'Must not be blank')))
    .max(MAX_TAGS)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  notes: optionalText(TEXT_LIMITS.notes).optional(),
  location_id: z
    .uuid()
    .nullable()
    .optional()
    .meta({ description: 'Their usual location; once they have reservations, where most of these are' }),
  consent: consentWishes.optional(),
})

/** A change of these fields. */
export const customerChanges = customerFields.extend({
  loaded: loadedValues({
    email: anyText,
    phone: anyText,
    first_name: anyText,
    last_name: anyText,
    birth_date: z.iso.date().nullable(),
    company: anyText,
    job_title: anyText,
    address: anyText,
    tags: z.array(z.string().max(1000)).max(1000),
    notes: anyText,
    location_id: anyId,
  }),
})

/** The fields that a merge can take from the duplicate. */
export const mergeBody = z.strictObject({
  duplicate_id: z.guid(),
  fields: z.array(z.enum(SINGLE_FIELDS)).max(SINGLE_FIELDS.length).optional().meta({
    description: 'Taken from the duplicate, where it has them, although the customer has their own',
  }),
})
