import { z } from 'zod'
import { calendarDate, optionalText, requiredText, text } from '@/lib/http/fields'
import { pageQuery } from '@/lib/openapi/common'
import { CONSENT_BASES, CONSENT_FILTERS } from './consent'
import { normalizeEmail, normalizePhone } from './contact'
import { MERGE_FIELDS } from './merge-schema'
import { CUSTOMER_SEGMENTS, CUSTOMER_SORTS, type CustomerSort } from './schema'

const SORTS = Object.keys(CUSTOMER_SORTS) as [CustomerSort, ...CustomerSort[]]
const DAY_MS = 86_400_000
const MAX_TAGS = 50

/** A contact field in the form in which it is stored and compared; blank means null. */
const contact = (max: number, normalize: (value: string) => string | null, what: string) =>
  optionalText(max).transform((value, context) => {
    const normal = value && normalize(value)
    if (value && !normal) context.addIssue({ code: 'custom', message: `Not a valid ${what}` })
    return normal
  })

/** An e-mail a person typed in. */
export const emailField = contact(254, normalizeEmail, 'e-mail')
/** A phone number a person typed in, of Spain when it has no country. */
export const phoneField = contact(40, normalizePhone, 'phone number')

const consentWish = z
  .strictObject({
    basis: z.enum(CONSENT_BASES).optional(),
    opted_out: z.boolean().optional().meta({ description: 'Marketing only; confirmations still go' }),
    reason: requiredText(500).meta({ description: 'How the staff knows' }),
  })
  .refine(
    ({ basis, opted_out }) => basis !== undefined || opted_out !== undefined,
    'Needs basis or opted_out',
  )

/** What the staff records of a guest's consent; the other channels stay as they are. */
const consentWishes = z
  .strictObject({
    whatsapp: consentWish.optional(),
    sms: consentWish.optional(),
    email: consentWish.optional(),
  })
  .refine((channels) => Object.values(channels).some((wish) => wish !== undefined), 'Needs a channel')

/** The fields of a customer that people edit; statistics and tier follow from reservations. */
export const customerFields = z.strictObject({
  email: emailField.optional(),
  phone: phoneField.optional(),
  first_name: optionalText(100).optional(),
  last_name: optionalText(100).optional(),
  birth_date: calendarDate(1900, 2100)
    .refine((date) => Date.parse(date) <= Date.now() + DAY_MS, 'Must not be in the future')
    .nullable()
    .optional(),
  company: optionalText(200).optional(),
  job_title: optionalText(200).optional(),
  address: optionalText(500).optional(),
  tags: z
    .array(text(60).refine((tag) => tag !== '', 'Must not be blank'))
    .max(MAX_TAGS)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  notes: optionalText(5000).optional(),
  location_id: z
    .uuid()
    .nullable()
    .optional()
    .meta({ description: 'Where they are at home; with reservations it is where most of them are' }),
  consent: consentWishes.optional(),
})

/** What narrows the list of customers, and its order. */
export const customersQuery = pageQuery.extend({
  cursor: z.string().max(8000).optional().meta({ description: 'next_cursor of the page before' }),
  search: text(200).optional().meta({ description: 'Words of name, e-mail, phone or company' }),
  tag: text(60).optional(),
  tier: text(100).optional().meta({ description: 'A tier’s id or name' }),
  location_id: z.uuid().optional(),
  segment: z.enum(CUSTOMER_SEGMENTS).optional().meta({
    description:
      'inactive: no visit for 90 days; new: created within 30 days; vip: tier Oro or above; birthday: within the next 7 days; no_show: at least one',
  }),
  inactive_days: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .optional()
    .meta({ description: 'Came once, but not in so many days' }),
  consent: z.enum(CONSENT_FILTERS).optional().meta({
    description:
      '`<channel>:<state>`; state: a basis (opt_in, existing_customer, none), opted_out, or reachable (an address, a basis and no opt-out)',
  }),
  sort: z.enum(SORTS).default('recent'),
})

/** The same filters and order for the whole list as a file. */
export const customersExportQuery = customersQuery.omit({ cursor: true, limit: true }).extend({
  language: z.enum(['es', 'en']).default('es').meta({
    description: 'Of the first line; Spanish has semicolons and a decimal comma, English commas and a point',
  }),
})

/** The fields that a merge can take from the duplicate. */
export const mergeBody = z.strictObject({
  duplicate_id: z.uuid(),
  fields: z.array(z.enum(MERGE_FIELDS)).max(10).optional().meta({
    description: 'Taken from the duplicate, where it has them, although the customer has their own',
  }),
})
