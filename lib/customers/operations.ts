import { z } from 'zod'
import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { SUBJECT_EXPORT_ROLES } from '@/lib/permissions'
import {
  duplicatesQuery,
  mergeAllQuery,
  mergeAllSchema,
  mergedSomeSchema,
  pairCountSchema,
} from './duplicate-places'
import { exampleCustomer, exampleDuplicateGroup, exampleExport, exampleFacts, exampleMatch } from './examples'
import { customerExportSchema } from './export-schema'
import { customerFactsSchema, factChangesSchema } from './facts-schema'
import { customerChanges, customerFields, mergeBody } from './fields'
import { citiesQuery, customerFilters, customersExportQuery, customersQuery } from './filters'
import { guestMatchSchema, typedGuest } from './matches-schema'
import {
  customerCitySchema,
  customerSchema,
  customerTagSchema,
  duplicateGroupSchema,
  mergedSchema,
  pairSchema,
  verdictSchema,
} from './schema'
import { chosenExport, customerCount, tagChange, tagChanged } from './selection'

const usual = { tag: 'Customers', auth: 'session', permission: 'canAccessClientes' } as const
/** Also for floor staff, for the guests of their locations. */
const byCard = { ...usual, permission: 'canUseGuestCards', machines: 'canAccessClientes' } as const
const one = single(customerSchema)
const example = { data: exampleCustomer }
const facts = { schema: single(customerFactsSchema), example: { data: exampleFacts } }
const csv = {
  contentType: 'text/csv',
  headers: { 'Content-Disposition': 'attachment; filename="customers-<date>.csv"' },
}
const taken = problem(
  'Another customer has the e-mail, as the first or a further one; or a further e-mail or phone (CONTACT_TAKEN)',
  'EMAIL_TAKEN',
)
const conflict = problem(
  'Another customer has the e-mail, as the first or a further one; or a further e-mail or phone, with its place in `issues` (CONTACT_TAKEN); the address to opt in bounced, or its owner complained; or someone else changed what is in `loaded` (EDITED_MEANWHILE)',
  'EMAIL_TAKEN',
)

export const customerPaths = definePaths({
  '/api/customers': {
    get: {
      ...usual,
      summary: 'The customers of the organization',
      query: customersQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(customerSchema),
          example: { data: [exampleCustomer], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Create a customer',
      description:
        'With at least an e-mail, a phone or a name. `source` becomes `Manual`. A first phone may be shared; an e-mail, and further ones, belong to one customer.',
      body: customerFields,
      bodyExample: { email: 'ana@correo.example', phone: '612 345 678', first_name: 'Ana', tags: ['prensa'] },
      responses: { 201: { description: 'Created', schema: one, example }, 409: taken },
    },
  },
  '/api/customers/export': {
    get: {
      ...usual,
      confirm: true,
      summary: 'The list of customers as a CSV download',
      description:
        'Every customer that the filters match, in chunks as they are read. Cells that a spreadsheet would run are escaped. Each export is logged, with the rows that went out.',
      rateLimited: 'hour',
      changes: true,
      query: customersExportQuery,
      responses: {
        200: {
          description: 'The download; its headers are among those that an import recognises',
          ...csv,
        },
      },
    },
    post: {
      ...usual,
      confirm: true,
      summary: 'Chosen customers as a CSV download',
      description: 'At most 500. As the download of the list, whose limit it shares.',
      rateLimited: 'hour',
      body: chosenExport,
      bodyExample: { ids: [exampleCustomer.id] },
      responses: { 200: { description: 'The download', ...csv } },
    },
  },
  '/api/customers/matches': {
    post: {
      ...usual,
      summary: 'Guests who may be the one that is being typed in',
      description:
        'Three at most, the most likely first, with masked contact data. At most 120 requests a minute a person.',
      body: typedGuest,
      bodyExample: { first_name: 'Pepe', last_name: 'García López', phone: '612 345 678' },
      responses: {
        200: {
          description: 'Who is likely the same person',
          schema: single(z.array(guestMatchSchema)),
          example: { data: [exampleMatch] },
        },
        429: problem('More than 120 requests in a minute', 'RATE_LIMITED'),
      },
    },
  },
  '/api/customers/count': {
    get: {
      ...usual,
      summary: 'How many customers the filters of the list match',
      query: customerFilters,
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'The number',
          schema: single(customerCount),
          example: { data: { customers: 312, more: false } },
        },
      },
    },
  },
  '/api/customers/cities': {
    get: {
      ...usual,
      summary: 'The cities in which customers live',
      description: 'The first 20 in alphabetical order; there is one page.',
      query: citiesQuery,
      responses: {
        200: {
          description: 'Cities, each in one of its spellings',
          schema: page(customerCitySchema),
          example: { data: [{ city: 'Madrid' }], next_cursor: null },
        },
      },
    },
  },
  '/api/customers/tags': {
    get: {
      ...usual,
      summary: 'The tags in use, the most used first',
      description: 'At most 200; there is one page.',
      responses: {
        200: {
          description: 'Tags and how many customers have each',
          schema: page(customerTagSchema),
          example: { data: [{ tag: 'prensa', customers: 31 }], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Add a tag to many customers, or take it from them',
      description:
        'To those with `ids` (500 at most), or to all that `filters` match. All get it or none; whoever has the tag already, or 50 others, stays as they are. Each customer whose tags change has a line in the audit log.',
      creates: true,
      rateLimited: true,
      body: tagChange,
      bodyExample: { action: 'add', tag: 'prensa', ids: [exampleCustomer.id] },
      responses: {
        200: {
          description: 'Changed',
          schema: single(tagChanged),
          example: { data: { id: '9d1f6a3e-2b52-4c1e-8a52-0a7a3f0f6f11', changed: 12, full: 0 } },
        },
        409: problem('The filters match more than 5,000 customers', 'TOO_MANY_CUSTOMERS'),
      },
    },
  },
  '/api/customers/tags/{id}': {
    delete: {
      ...usual,
      summary: 'Take back a change of tags',
      description:
        'One’s own of the last hour, once. It takes the tag from those who got it by that change, or gives it back to those who lost it.',
      params: idParams,
      responses: { 204: { description: 'Taken back' }, 404: notFound },
    },
  },
  '/api/customers/{id}': {
    get: {
      ...usual,
      summary: 'A customer',
      params: idParams,
      responses: { 200: { description: 'The customer', schema: one, example }, 404: notFound },
    },
    patch: {
      ...usual,
      summary: 'Change a customer',
      description:
        'The fields given; null or a blank clears one. `emails` and `phones` replace the further ones; in one request the first and a further one can change places. An opt-out goes along when another address becomes the first. Statistics and tier follow from reservations. `consent` records a basis by channel, or opts the guest out or in, each with its reason.',
      params: idParams,
      body: customerChanges,
      bodyExample: { notes: 'Alérgica a los frutos secos' },
      responses: {
        200: { description: 'Changed', schema: one, example },
        403: problem(
          'Not allowed, or another usual location of a customer whose own one the caller does not work in',
          'FOREIGN_LOCATION',
        ),
        404: notFound,
        409: conflict,
      },
    },
    delete: {
      ...usual,
      confirm: true,
      summary: 'Erase a customer (GDPR art. 17)',
      description:
        'Final at once. The customer is deleted; reservations and messages stay without personal data, their tickets and events without names, e-mails and phones. Texts about nobody lose the person’s addresses, and the full name in the locations where they have booked; what is about other customers stays whole, and so do names and definitions, which the audit log names for a person to mend. Someone bound to locations erases only customers all of whose records are in these. The PMS does not bring the person back with a booking that is already here. An opt-out stays with its address.',
      params: idParams,
      responses: {
        204: { description: 'Erased' },
        403: problem(
          'Not allowed, or the customer has records of locations the caller does not work in, or of none; with `confirm` (SECOND_FACTOR_NEEDED): a code of the second factor is needed first',
          'FOREIGN_LOCATION',
        ),
        404: notFound,
      },
    },
  },
  '/api/customers/{id}/facts': {
    get: {
      ...byCard,
      summary: 'The allergies, diets and preferences of a customer',
      description:
        'What staff recorded; and what the customer’s notes, tags and latest 20 reservations seem to say beyond that, for staff to confirm.',
      params: idParams,
      responses: { 200: { description: 'Recorded and suggested facts', ...facts }, 404: notFound },
    },
    put: {
      ...byCard,
      summary: 'Record the allergies, diets and preferences of a customer',
      description:
        'Replaces what is recorded. What stays as it was keeps who recorded it and when. The audit log names no values.',
      params: idParams,
      body: factChangesSchema,
      bodyExample: { facts: [{ code: 'nuts', note: 'Lleva adrenalina' }, { code: 'window' }] },
      responses: { 200: { description: 'Recorded', ...facts }, 404: notFound },
    },
  },
  '/api/customers/{id}/export': {
    get: {
      ...usual,
      confirm: true,
      summary: 'Everything held about a customer (GDPR art. 15 and 20), as a download',
      description:
        'With tickets, their comments and events. Someone bound to locations gets what happened in these. Each export is logged.',
      roles: SUBJECT_EXPORT_ROLES,
      rateLimited: 'hour',
      changes: true,
      params: idParams,
      responses: {
        200: {
          description: 'The download',
          headers: { 'Content-Disposition': 'attachment; filename="customer-<id>.json"' },
          schema: customerExportSchema,
          example: exampleExport,
        },
        404: notFound,
      },
    },
  },
  '/api/customers/{id}/merge': {
    post: {
      ...usual,
      summary: 'Merge a duplicate into a customer',
      description:
        'Reservations and messages move, tags and notes are united, blanks are filled, the higher tier is kept, and the duplicate is deleted. Addresses that are not kept still match later PMS bookings. It can be undone for 30 days.',
      params: idParams,
      body: mergeBody,
      bodyExample: { duplicate_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', fields: ['phone'] },
      responses: {
        200: {
          description: 'The customer they are now',
          schema: single(mergedSchema),
          example: { data: { ...exampleCustomer, merge_id: 'd2b1c7c4-5a0e-4b0c-9f0b-6c1a1e0f7a55' } },
        },
        404: notFound,
      },
    },
  },
  '/api/customers/duplicates': {
    get: {
      ...usual,
      summary: 'Customers who are likely one person',
      description:
        'The most certain first. `email`: the same mailbox, +suffixes (and dots at Gmail) aside. `name_and_birth_date`: both the same. `phone`: the same phone, and the same name or none. `likeness`: what agrees weighs enough (docs/identity.md). Those who are alike in a chain (A and B, B and C) are one group; nobody is in one with somebody said to be a different person, or of another name or birth date. A page before the last may be short.',
      query: duplicatesQuery,
      responses: {
        200: {
          description: 'A page of groups, ten customers at most in each',
          schema: page(duplicateGroupSchema),
          example: { data: [exampleDuplicateGroup], next_cursor: null },
        },
      },
    },
  },
  '/api/customers/duplicates/merge': {
    get: {
      ...usual,
      summary: 'How many likely pairs a merge of all above a confidence is about',
      description:
        'The groups themselves: GET /api/customers/duplicates with the same `above` and `certain`.',
      query: mergeAllQuery,
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'Counted up to ten thousand; those said to be different people do not count',
          schema: single(pairCountSchema),
          example: { data: { pairs: 120, more: false } },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Merge all duplicates above a confidence, step by step',
      description:
        'Merges about twenty customers, whole groups, each into its oldest customer, and says where the next step begins. Nobody is merged with somebody said to be a different person, or of another name or birth date. Each merge is in the audit log.',
      body: mergeAllSchema,
      bodyExample: { above: 0.99, certain: true },
      responses: {
        200: {
          description: 'How many were merged',
          schema: single(mergedSomeSchema),
          example: { data: { merged: 20, next_cursor: null } },
        },
      },
    },
  },
  '/api/customers/duplicates/different': {
    get: {
      ...usual,
      summary: 'Pairs of customers who were said to be different people',
      description: 'The latest first. They are not suggested as duplicates.',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(pairSchema),
          example: {
            data: [
              {
                id: '0b8a5c0e-6d0f-4b7e-9d55-3f1f3a0c9b21',
                decided_at: '2026-11-20T12:00:00.000Z',
                author_name: 'Lucía Prieto',
                customers: [
                  exampleCustomer,
                  { ...exampleCustomer, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', email: null },
                ],
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
    put: {
      ...usual,
      summary: 'Say that a customer is not the same person as others, or take it back',
      description:
        'About each pair of `customer_id` and one of `other_ids`. Saying it twice changes nothing: who said it first, and when, stays.',
      body: verdictSchema,
      bodyExample: {
        customer_id: exampleCustomer.id,
        other_ids: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
        different: true,
      },
      responses: { 204: { description: 'Recorded' }, 404: notFound },
    },
  },
})
